import { close } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { programPath } from '@gantry/lib-linux/launcher';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { bareForm, type OciRuntime } from './oci-runtime.js';
import { SealedPrograms } from './sealed-programs.js';

/** How a runtime is executed for one create. */
export interface CreateForm {
  readonly runtime: OciRuntime;
  /** Called when all that the runtime needs is mounted, before the runtime is executed. */
  ready(): Promise<void>;
  /** When the runtime has ended. */
  close(): void;
}

/**
 * How runtimes are executed to create tasks. One that must not see the host's v2 tree is usually run in a mount namespace that
 * its wrapper makes, by three programs. Here the daemon makes that namespace, and one program enters it.
 */
@injectable()
export class CreateForms {
  #canCopyMounts: boolean | undefined;

  constructor(
    @inject(SealedPrograms) private readonly programs: Pick<SealedPrograms, 'sealed'>,
    @inject(Cgroups.token) private readonly cgroups: Pick<Cgroups, 'layout'>,
    @inject(Namespaces.token) private readonly namespaces: Pick<Namespaces, 'mountsWithout'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The directory is the task's. */
  async open(runtime: OciRuntime, directory: string): Promise<CreateForm> {
    const bare = bareForm(runtime);
    const { unified } = await this.cgroups.layout();
    if (bare !== undefined && unified !== undefined) {
      this.#canCopyMounts ??= this.#tryToCopyMounts(unified);
      if (this.#canCopyMounts) return this.#openWithout(unified, bare, join(directory, 'mounts'));
    }
    const none = async (): Promise<void> => undefined;
    return { runtime: await this.programs.sealed(runtime), ready: none, close: () => undefined };
  }

  #tryToCopyMounts(unified: string): boolean {
    try {
      close(this.namespaces.mountsWithout(unified), () => undefined);
      return true;
    } catch (error) {
      this.log.warn(
        { event: 'runtime.no-mount-copies', error },
        'cannot copy the mount namespace; starting unshare instead',
      );
      return false;
    }
  }

  /**
   * What is mounted on the host once the namespace exists is not seen in it unless the host's mounts are shared. So it is made
   * last, and a link leads to it: the command line is known before.
   */
  async #openWithout(unified: string, bare: OciRuntime, link: string): Promise<CreateForm> {
    const [sealed, nsenter] = [await this.programs.sealed(bare), await programPath('nsenter')];
    let namespace: number | undefined;
    return {
      runtime: { ...sealed, path: nsenter, args: [`--mount=${link}`, sealed.path, ...sealed.args] },
      ready: async () => {
        namespace = this.namespaces.mountsWithout(unified);
        await symlink(`/proc/${process.pid}/fd/${namespace}`, link);
      },
      // On a thread of the pool: the kernel unmounts all of it.
      close: () => {
        if (namespace !== undefined) close(namespace, () => undefined);
      },
    };
  }
}
