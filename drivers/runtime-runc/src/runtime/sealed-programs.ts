import { access, constants, stat } from 'node:fs/promises';
import { inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { type SealedProgram, sealedProgram } from '@gantry/lib-linux/launcher';
import { SELinux } from '@gantry/lib-linux/selinux';
import { type OciRuntime, withProgram } from './oci-runtime.js';

interface Copy {
  readonly key: string;
  readonly program: Promise<SealedProgram | undefined>;
}

/**
 * Sealed copies of runtimes in memory. crun makes its executable read-only before it starts anything, so that no container
 * can write to it, and executes itself once more: the time of another program at each create and exec. It does not when
 * it is executed from sealed memory. One copy of each program serves as long as the daemon runs, or until the program changes.
 */
@injectable()
export class SealedPrograms {
  readonly #copies = new Map<string, Copy>();
  #isAllowed: Promise<boolean> | undefined;

  constructor(
    @inject(SELinux.token) private readonly selinux: Pick<SELinux, 'containerContexts'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The runtime to execute for a create or an exec: from its copy, where it is crun and the host lets copies be executed. */
  async sealed(runtime: OciRuntime): Promise<OciRuntime> {
    if (runtime.kind !== 'crun') return runtime;
    this.#isAllowed ??= this.#allowsCopies();
    const file = (await this.#isAllowed) ? await this.#copyOf(runtime.program ?? runtime.path) : undefined;
    return file === undefined ? runtime : withProgram(runtime, file);
  }

  /** The path of the copy of a program; undefined where it cannot be executed. */
  async #copyOf(program: string): Promise<string | undefined> {
    const { size, mtimeMs, ino } = await stat(program);
    const key = [size, mtimeMs, ino].join(' ');
    let copy = this.#copies.get(program);
    if (copy?.key !== key) {
      copy = { key, program: this.#copy(program) };
      this.#copies.set(program, copy);
    }
    return (await copy.program)?.path;
  }

  /** A policy of SELinux knows programs by the labels of their files, which a copy does not have. */
  async #allowsCopies(): Promise<boolean> {
    return (await this.selinux.containerContexts()) === undefined;
  }

  async #copy(program: string): Promise<SealedProgram | undefined> {
    try {
      const sealed = await sealedProgram(program);
      // One that was replaced may still be about to be executed, so it is closed at the end.
      this.lifetime.add(sealed.close);
      await access(sealed.path, constants.X_OK);
      return sealed;
    } catch (error) {
      const facts = { event: 'runtime.not-sealed', program, error };
      this.log.info(facts, 'cannot execute a runtime from sealed memory; executing its file');
      return undefined;
    }
  }
}
