import type { OciResources } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Layout } from '../layout.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import { commonArguments, scratchIn } from '../runtime/oci-runtime.js';
import { reasonOf } from '../runtime/runtime-error.js';
import type { Task } from './task.js';

/** Changes the limits of tasks. */
@injectable()
export class UpdateTask {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
  ) {}

  /** The runtime restores the earlier limits when the kernel refuses one. */
  async update(task: Task, { cpu, ...resources }: OciResources): Promise<void> {
    const { quota, ...others } = cpu ?? {};
    const { controllers } = await this.cgroups.layout();
    // crun writes -1 as an unsigned number, which cgroups of version 1 refuse.
    const isLifted = quota !== undefined && quota < 0 && controllers.get('cpu')?.version === 1;
    const cpuLimits = isLifted ? others : (cpu ?? {});
    await this.#update(task, { ...resources, ...(Object.keys(cpuLimits).length > 0 && { cpu: cpuLimits }) });
    if (isLifted) await (await this.cgroups.group(task.living.record.cgroup)).write('cpu', 'cpu.cfs_quota_us', -1);
  }

  async #update(task: Task, resources: OciResources): Promise<void> {
    const { runtime } = task.living.record;
    if (Object.keys(resources).length === 0) return;
    const args = [...commonArguments(runtime, this.layout.runtimeRoot), 'update', '--resources', '-', task.id];
    const { code, stdout, stderr } = await this.deadlines.run(
      { deadline: 'control', who: 'the runtime', what: `update ${task.id}` },
      (signal) =>
        this.launcher.run(runtime.path, args, {
          input: Buffer.from(JSON.stringify(resources)),
          env: scratchIn(task.layout.directory),
          signal,
        }),
    );
    if (code === 0) return;
    // If the task has exited meanwhile, that is the better explanation.
    void task.living;
    throw invalidArgument(
      `Cannot update container ${task.id}: ${reasonOf(`${stdout}\n${stderr}`) || 'the runtime failed'}`,
    );
  }
}
