import type { OciResources } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import { commonArguments, scratchIn } from '../runtime/oci-runtime.js';
import { reasonOf } from '../runtime/runtime-error.js';
import type { Task } from './task.js';

/** Changes limits. The runtime puts back the earlier ones when the kernel refuses one. */
export async function updateTask(context: RuntimeContext, task: Task, resources: OciResources): Promise<void> {
  const { runtime } = task.living.record;
  const args = [...commonArguments(runtime, context.layout.runtimeRoot), 'update', '--resources', '-', task.id];
  const { code, stdout, stderr } = await withDeadline(
    { who: 'the runtime', what: `update ${task.id}`, milliseconds: context.config.deadlines.control },
    (signal) =>
      context.ports.launcher.run(runtime.path, args, {
        input: Buffer.from(JSON.stringify(resources)),
        env: scratchIn(task.layout.directory),
        signal,
      }),
  );
  if (code === 0) return;
  // An exit meanwhile explains it better than what the runtime says.
  void task.living;
  throw invalidArgument(
    `Cannot update container ${task.id}: ${reasonOf(`${stdout}\n${stderr}`) || 'the runtime failed'}`,
  );
}
