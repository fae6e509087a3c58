import type { ArchiveRoot } from '@gantry/core/contracts';
import { internal, messageOf } from '@gantry/core/errors';
import { type Confinement, confineThread, confineToTree } from '@gantry/lib-linux/files';
import type { KernelCalls } from './kernel-calls.js';

/**
 * The root directory of this thread: until it is released, the paths of all synchronous calls begin there and no link
 * leads out. File modes are as given, whatever the umask of the daemon is.
 */
export class Chroot {
  #confinement: Confinement;
  readonly #umask: number;

  constructor(
    private readonly root: ArchiveRoot,
    readonly calls: KernelCalls,
  ) {
    this.#confinement = enter(root);
    this.#umask = calls.files.setUmask(0);
  }

  /** Runs an action with the host's own paths. */
  outside<T>(action: () => T): T {
    this.#confinement.release();
    try {
      return action();
    } finally {
      this.#confinement = enter(this.root);
    }
  }

  release(): void {
    this.calls.files.setUmask(this.#umask);
    this.#confinement.release();
  }
}

function enter(root: ArchiveRoot): Confinement {
  if (typeof root === 'string') return confineThread(root);
  const { directory, mounts, readOnly } = root;
  if (mounts.length === 0 && !readOnly) return confineThread(directory);
  try {
    return confineToTree(directory, { mounts, readOnly });
  } catch (cause) {
    // Not `not-found`: a missing mount source is not the path that the client asked for.
    throw internal(`cannot show what is mounted in ${directory}: ${messageOf(cause)}`, { cause });
  }
}

/** Runs an action in a root, and leaves the root in every case. */
export async function withChroot<T>(
  root: ArchiveRoot,
  calls: KernelCalls,
  action: (root: Chroot) => T | Promise<T>,
): Promise<T> {
  const chroot = new Chroot(root, calls);
  try {
    return await action(chroot);
  } finally {
    chroot.release();
  }
}
