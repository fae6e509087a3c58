import type { Readable } from 'node:stream';
import type { Owner } from '@gantry/archive';
import { forbidden } from '@gantry/core/errors';
import { resolveUser } from '../oci/user.js';
import type { Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { type ClientPath, parseClientPath } from './client-path.js';
import { containerTree } from './container-tree.js';
import { wordingErrors } from './file-errors.js';
import { holdRoot } from './hold-root.js';

export interface PutArchive {
  /** A tar, compressed or not. Consumed or destroyed in every case. */
  readonly body: Readable;
  /** Reject `invalid-argument` instead of putting something else in the place of a directory, or the reverse. */
  readonly keepDirectories: boolean;
  /** Everything becomes the container's user's. */
  readonly ownedByUser: boolean;
  readonly signal: AbortSignal;
}

/**
 * Spec: PUT /containers/(id)/archive. Rejects `not-found` without the directory, `invalid-argument` when it is none or
 * the archive is damaged, `forbidden` when it is read-only. What came before a damage stays.
 */
export async function putArchive(
  parts: Parts,
  reference: string,
  written: string | undefined,
  { body, keepDirectories, ownedByUser, signal }: PutArchive,
): Promise<void> {
  try {
    const container = parts.store.get(reference);
    const path = parseClientPath(written);
    refuseKernelPaths(path);
    const root = await holdRoot(parts, container, { volumes: true });
    try {
      const { record } = container;
      await wordingErrors(record, reference, path, async () => {
        const tree = await containerTree(parts, record, root);
        const owner = ownedByUser ? await ownerIn(root.directory, record) : undefined;
        const options = { keepDirectories, signal, ...(owner !== undefined && { owner }) };
        await parts.archive.extract({ stream: body }, tree, path.path, options);
      });
      parts.events.publish(record, 'extract-to-dir', { path: path.written });
      parts.events.publish(record, 'copy', { path: path.written });
    } finally {
      await root.letGo();
    }
  } finally {
    body.destroy();
  }
}

/** What is put there would never be seen: the kernel's own file systems hide it while the container runs. */
function refuseKernelPaths({ path }: ClientPath): void {
  const found = /^\/(proc|sys|dev)(\/|$)/.exec(path);
  if (found !== null) throw forbidden(`cannot write to /${found[1]} of a container: it is the kernel's while it runs`);
}

async function ownerIn(rootfs: string, { config, hostConfig }: ContainerRecord): Promise<Owner> {
  const { uid, gid } = await resolveUser(rootfs, config.User ?? '', hostConfig.GroupAdd ?? []);
  return { uid, gid };
}
