import type { PluginManifest } from '../manifest/parse-manifest.js';

/** The environment variables of a plugin. */
export const environmentOf = ({ env }: Pick<PluginManifest, 'env'>): readonly string[] =>
  env.map(({ name, value }) => `${name}=${value}`);
