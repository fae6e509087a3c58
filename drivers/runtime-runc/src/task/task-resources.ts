import { rm, rmdir } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import { type Cgroup, Cgroups } from '@gantry/lib-linux/cgroups';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Scopes } from '../cgroups/scopes.js';
import { Layout } from '../layout.js';
import { commonArguments, type OciRuntime } from '../runtime/oci-runtime.js';

interface TaskResourcesRequest {
  readonly id: string;
  readonly runtime: OciRuntime;
  readonly cgroup: string;
  /** The runtime itself must do it, for its hooks. */
  readonly byRuntime: boolean;
  readonly signal?: AbortSignal;
}

/** What a runtime and the kernel keep of a task: its processes, its cgroup and the runtime's state. */
@injectable()
export class TaskResources {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(Scopes) private readonly scopes: Scopes,
    @inject(Launcher.token) private readonly launcher: Launcher,
  ) {}

  /**
   * Kills every process of the cgroup, then removes the cgroup and the runtime's state. Absent: resolves. Starting the
   * runtime costs several milliseconds, so it is only used where it does something that cannot be done here.
   */
  async remove(request: TaskResourcesRequest): Promise<void> {
    const { id, runtime, byRuntime, signal } = request;
    const options = signal === undefined ? {} : { signal };
    const group = await this.cgroups.group(request.cgroup);
    if (byRuntime || runtime.kind === 'other') {
      const args = [...commonArguments(runtime, this.layout.runtimeRoot), 'delete', '--force', id];
      await this.launcher.run(runtime.path, args, options);
    }
    const isScope = this.scopes.has(request.cgroup);
    if (isScope || !(await removeEmpty(group))) {
      await group.killAll(options);
      if (isScope) await this.scopes.stop(request.cgroup, options);
      await group.remove();
    }
    await rm(this.layout.task(id).runtimeState, { recursive: true, force: true });
  }
}

/** The cgroup is usually empty, and looking for processes in every hierarchy would take longer than its removal. */
async function removeEmpty(group: Cgroup): Promise<boolean> {
  const removed = await Promise.all(
    group.directories().map((directory) =>
      rmdir(directory).then(
        () => true,
        (error: unknown) => isErrno(error, 'ENOENT'),
      ),
    ),
  );
  return removed.every(Boolean);
}
