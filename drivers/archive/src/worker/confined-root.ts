import { internal, messageOf } from '@gantry/core/errors';
import { type Confinement, confineThread, confineToTree, kernelFiles } from '@gantry/lib-linux/files';
import type { Root } from '../pool/requests.js';

/**
 * The root this thread works in: while it is held, the paths of all synchronous calls begin there and no link leads out.
 * File modes are as given, whatever the umask of the daemon is.
 */
export class ConfinedRoot {
  #confinement: Confinement;
  readonly #umask: number;

  constructor(private readonly root: Root) {
    this.#confinement = confine(root);
    this.#umask = kernelFiles.setUmask(0);
  }

  /** Does something with the host's own paths. */
  outside<T>(action: () => T): T {
    this.#confinement.release();
    try {
      return action();
    } finally {
      this.#confinement = confine(this.root);
    }
  }

  release(): void {
    kernelFiles.setUmask(this.#umask);
    this.#confinement.release();
  }
}

function confine(root: Root): Confinement {
  if (typeof root === 'string') return confineThread(root);
  const { directory, mounts, readOnly } = root;
  if (mounts.length === 0 && !readOnly) return confineThread(directory);
  try {
    return confineToTree(directory, { mounts, readOnly });
  } catch (cause) {
    // What is missing is not what was asked for.
    throw internal(`cannot show what is mounted in ${directory}: ${messageOf(cause)}`, { cause });
  }
}

/** Does something confined, and comes back in every case. */
export async function confined<T>(root: Root, action: (root: ConfinedRoot) => T | Promise<T>): Promise<T> {
  const confinement = new ConfinedRoot(root);
  try {
    return await action(confinement);
  } finally {
    confinement.release();
  }
}
