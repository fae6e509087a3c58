import type { Readable } from 'node:stream';
import type { Parts } from '../parts.js';
import { holdRoot } from './hold-root.js';

/** Spec: GET /containers/(id)/export. A tar of the root without volumes; the caller reads it to its end or destroys it. */
export async function exportRoot(
  parts: Parts,
  reference: string,
  options: { readonly signal: AbortSignal },
): Promise<Readable> {
  const container = parts.store.get(reference);
  const root = await holdRoot(parts, container, { volumes: false });
  const tar = parts.archive.packTree(root.directory, '/', { name: '', ...options });
  tar.once('close', () => void root.letGo());
  parts.events.publish(container.record, 'export');
  return tar;
}
