import type { PluginManifest } from './manifest/manifest.js';

/** An installed plugin, as it is stored. */
export interface PluginRecord {
  /** 64 hexadecimal digits; names its directory and its task. */
  readonly id: string;
  /** Such as `registry.example/team/vol`. */
  readonly repository: string;
  /** A tag, or a digest for one that was pulled by it. */
  readonly tag: string;
  /** `sha256:<hex>` of the manifest in the registry. */
  readonly digest: string;
  readonly enabled: boolean;
  readonly manifest: PluginManifest;
}

/** The name people and driver sets know it by: `repo:tag`, or `repo@digest`. */
export const nameOf = ({ repository, tag }: Pick<PluginRecord, 'repository' | 'tag'>): string =>
  tag.includes(':') ? `${repository}@${tag}` : `${repository}:${tag}`;

/** The id of its task: see `RuntimeDriver`. */
export const taskIdOf = ({ id }: Pick<PluginRecord, 'id'>): string => `${taskPrefix}${id}`;

export const taskPrefix = 'plugin-';
