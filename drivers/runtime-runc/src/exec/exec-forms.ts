import { inject, injectable } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { bareForm, type OciRuntime } from '../runtime/oci-runtime.js';
import { SealedPrograms } from '../runtime/sealed-programs.js';

/**
 * How a runtime starts processes in existing containers. A runtime that must not see all of the host to create a
 * container is first run without its wrapper: crun refuses the v2 tree when it creates cgroups, not when it enters them.
 * That saves the start of two more programs, and a mount namespace for as long as the process runs.
 */
@injectable()
export class ExecForms {
  /** Programs that need their wrapper for execs, too. */
  readonly #wrapped = new Set<string>();

  constructor(@inject(SealedPrograms) private readonly programs: Pick<SealedPrograms, 'sealed'>) {}

  /** Starts without the wrapper, and again with it if the runtime refuses. A start that fails leaves nothing running. */
  async start<T>(runtime: OciRuntime, start: (runtime: OciRuntime) => Promise<T>): Promise<T> {
    const bare = bareForm(runtime);
    if (bare === undefined || this.#wrapped.has(bare.path)) return start(await this.programs.sealed(runtime));
    try {
      return await start(await this.programs.sealed(bare));
    } catch (error) {
      if (!/cgroup/i.test(messageOf(error))) throw error;
      const started = await start(await this.programs.sealed(runtime));
      this.#wrapped.add(bare.path);
      return started;
    }
  }
}
