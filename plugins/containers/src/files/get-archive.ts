import type { Readable } from 'node:stream';
import type { Parts } from '../parts.js';
import { parseClientPath } from './client-path.js';
import { containerTree } from './container-tree.js';
import { holdRoot } from './hold-root.js';
import type { PathStatHeader } from './path-stat.js';
import { lookAt } from './stat-path.js';

export interface PathArchive {
  readonly stat: PathStatHeader;
  /** A tar of what is at the path; the caller reads it to its end or destroys it. */
  readonly tar: Readable;
}

/** Spec: GET /containers/(id)/archive. Rejects as `statPath`. */
export async function getArchive(
  parts: Parts,
  reference: string,
  written: string | undefined,
  options: { readonly signal: AbortSignal },
): Promise<PathArchive> {
  const container = parts.store.get(reference);
  const path = parseClientPath(written);
  const root = await holdRoot(parts, container, { volumes: true });
  try {
    const stat = await lookAt(parts, container, root, { reference, path, ...options });
    const tree = await containerTree(parts, container.record, root);
    const tar = parts.archive.packTree(tree, path.path, { name: path.name, ...options });
    tar.once('close', () => void root.letGo());
    parts.events.publish(container.record, 'archive-path', { path: path.written });
    parts.events.publish(container.record, 'copy', { path: path.written });
    return { stat, tar };
  } catch (error) {
    await root.letGo();
    throw error;
  }
}
