import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import { type ClientPath, parseClientPath } from './client-path.js';
import { containerTree } from './container-tree.js';
import { wordingErrors } from './file-errors.js';
import { type HeldRoot, holdRoot } from './hold-root.js';
import { type PathStatHeader, toPathStat } from './path-stat.js';

/** Spec: HEAD /containers/(id)/archive. Rejects `not-found`, `invalid-argument` when a file is named as a directory. */
export async function statPath(
  parts: Parts,
  reference: string,
  written: string | undefined,
  options: { readonly signal: AbortSignal },
): Promise<PathStatHeader> {
  const container = parts.store.get(reference);
  const path = parseClientPath(written);
  const root = await holdRoot(parts, container, { volumes: true });
  try {
    return await lookAt(parts, container, root, { reference, path, ...options });
  } finally {
    await root.letGo();
  }
}

interface Look {
  readonly reference: string;
  readonly path: ClientPath;
  readonly signal: AbortSignal;
}

/** The same in a root that is held. */
export const lookAt = (
  parts: Parts,
  { record }: Container,
  root: HeldRoot,
  { reference, path, signal }: Look,
): Promise<PathStatHeader> =>
  wordingErrors(record, reference, path, async () => {
    const tree = await containerTree(parts, record, root);
    return toPathStat(path, await parts.archive.statInRoot(tree, path.path, { signal }));
  });
