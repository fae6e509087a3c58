import { confineThread, kernelFiles } from '@gantry/linux/files';

/**
 * The root this thread works in: while it is held, the paths of all synchronous calls begin there and no link leads out.
 * File modes are as given, whatever the umask of the daemon is.
 */
export class ConfinedRoot {
  #confinement: ReturnType<typeof confineThread>;
  readonly #umask: number;

  constructor(private readonly directory: string) {
    this.#confinement = confineThread(directory);
    this.#umask = kernelFiles.setUmask(0);
  }

  /** Does something with the host's own paths. */
  outside<T>(action: () => T): T {
    this.#confinement.release();
    try {
      return action();
    } finally {
      this.#confinement = confineThread(this.directory);
    }
  }

  release(): void {
    kernelFiles.setUmask(this.#umask);
    this.#confinement.release();
  }
}

/** Does something confined, and comes back in every case. */
export async function confined<T>(directory: string, action: (root: ConfinedRoot) => T | Promise<T>): Promise<T> {
  const root = new ConfinedRoot(directory);
  try {
    return await action(root);
  } finally {
    root.release();
  }
}
