import type { PluginManifest } from '../manifest/parse-manifest.js';

/** The stored record of an installed plugin. */
export interface PluginRecord {
  /** 64 hexadecimal digits; names the plugin's task. */
  readonly id: string;
  /** Names the directory of the installed version's files; the first version has the plugin's id. */
  readonly files: string;
  /** Such as `registry.example/team/vol`. */
  readonly repository: string;
  /** A tag, or the digest that it was pulled by. */
  readonly tag: string;
  /** `sha256:<hex>` of the manifest in the registry. */
  readonly digest: string;
  readonly enabled: boolean;
  /** Where it was pulled from. Undefined when that is its name. */
  readonly remote?: string;
  readonly manifest: PluginManifest;
  /** The manifest with the values that an operator has set. Undefined while none is. */
  readonly settings?: PluginManifest;
}

/** The manifest as the plugin runs by it. */
export const settingsOf = ({ manifest, settings = manifest }: PluginRecord): PluginManifest => settings;

/** The plugin's name, and that of its drivers: `repo:tag`, or `repo@digest`. */
export const nameOf = ({ repository, tag }: Pick<PluginRecord, 'repository' | 'tag'>): string =>
  tag.includes(':') ? `${repository}@${tag}` : `${repository}:${tag}`;

/** The id of its task in the runtime driver. */
export const taskIdOf = ({ id }: Pick<PluginRecord, 'id'>): string => `${taskPrefix}${id}`;

export const taskPrefix = 'plugin-';
