import { close } from 'node:fs';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { programPath } from '@gantry/lib-linux/launcher';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { bareForm, type OciRuntime } from './oci-runtime.js';
import { SealedPrograms } from './sealed-programs.js';

/** How a runtime is executed for one create. */
interface CreateForm {
  readonly runtime: OciRuntime;
  /** When the runtime has ended. */
  close(): void;
}

/**
 * How runtimes are executed to create tasks. One that must not see the host's v2 tree is usually run in a mount namespace that
 * its wrapper makes, by three programs. Here the daemon makes that namespace, and one program enters it.
 */
@injectable()
export class CreateForms {
  #isRefused = false;

  constructor(
    @inject(SealedPrograms) private readonly programs: Pick<SealedPrograms, 'sealed'>,
    @inject(Cgroups.token) private readonly cgroups: Pick<Cgroups, 'layout'>,
    @inject(Namespaces.token) private readonly namespaces: Pick<Namespaces, 'mountsWithout'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** What is mounted later on the host is not seen by the runtime unless its mounts are shared. */
  async open(runtime: OciRuntime): Promise<CreateForm> {
    const bare = bareForm(runtime);
    const { unified } = await this.cgroups.layout();
    if (bare !== undefined && unified !== undefined && !this.#isRefused) {
      try {
        return await this.#openWithout(unified, bare);
      } catch (error) {
        this.#isRefused = true;
        this.log.warn(
          { event: 'runtime.no-mount-copies', error },
          'cannot copy the mount namespace; starting unshare instead',
        );
      }
    }
    return { runtime: await this.programs.sealed(runtime), close: () => undefined };
  }

  async #openWithout(unified: string, bare: OciRuntime): Promise<CreateForm> {
    const [sealed, nsenter] = [await this.programs.sealed(bare), await programPath('nsenter')];
    const namespace = this.namespaces.mountsWithout(unified);
    const args = [`--mount=/proc/${process.pid}/fd/${namespace}`, sealed.path, ...sealed.args];
    // On a thread of the pool: the kernel unmounts all of it.
    return { runtime: { ...sealed, path: nsenter, args }, close: () => close(namespace, () => undefined) };
  }
}
