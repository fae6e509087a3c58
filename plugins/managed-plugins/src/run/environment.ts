import type { PluginManifest } from '../manifest/manifest.js';

/** Variables of a plugin, as its manifest has them. */
export const environmentOf = ({ env }: Pick<PluginManifest, 'env'>): readonly string[] =>
  env.map(({ name, value }) => `${name}=${value}`);
