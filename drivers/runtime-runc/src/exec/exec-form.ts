import { messageOf } from '@gantry/core/errors';
import { bareForm, type OciRuntime } from '../runtime/oci-runtime.js';

/**
 * How a runtime starts processes in containers that there are. One that must not see all of the host to make a container
 * is first asked as it is: crun minds the v2 tree when it makes cgroups, not when it enters them. That saves the start of
 * two more programs, and a mount namespace for as long as the process runs.
 */
export class ExecForms {
  /** Programs that did mind. */
  readonly #minding = new Set<string>();

  /** Starts, once more the other way if the runtime minds. Nothing runs after a start that fails. */
  async start<T>(runtime: OciRuntime, start: (runtime: OciRuntime) => Promise<T>): Promise<T> {
    const bare = bareForm(runtime);
    if (bare === undefined || this.#minding.has(bare.path)) return start(runtime);
    try {
      return await start(bare);
    } catch (error) {
      if (!/cgroup/i.test(messageOf(error))) throw error;
      const started = await start(runtime);
      this.#minding.add(bare.path);
      return started;
    }
  }
}
