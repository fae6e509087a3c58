import { rm, rmdir } from 'node:fs/promises';
import { isErrno } from '@gantry/lib-linux';
import type { Cgroup } from '@gantry/lib-linux/cgroups';
import type { Ports } from '../ports.js';
import { commonArguments, type OciRuntime } from '../runtime/oci-runtime.js';

export interface PurgeRequest {
  readonly id: string;
  readonly runtime: OciRuntime;
  readonly runtimeRoot: string;
  readonly runtimeState: string;
  readonly cgroup: string;
  /** The runtime itself must do it, for its hooks. */
  readonly byRuntime: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Takes away what a runtime keeps of a task whose first process has gone or is to go: every process of its cgroup, the
 * cgroup, the runtime's state. Absent: resolves. Starting the runtime for it would cost several milliseconds, so that
 * is only done where it does something that cannot be done here.
 */
export async function purge(ports: Ports, request: PurgeRequest): Promise<void> {
  const { id, runtime, runtimeRoot, runtimeState, byRuntime, signal } = request;
  const options = signal === undefined ? {} : { signal };
  const group = await ports.cgroups.group(request.cgroup);
  if (byRuntime || runtime.kind === 'other') {
    const args = [...commonArguments(runtime, runtimeRoot), 'delete', '--force', id];
    await ports.launcher.run(runtime.path, args, options);
  }
  if (!(await removeEmpty(group))) {
    await group.killAll(options);
    await group.remove();
  }
  await rm(runtimeState, { recursive: true, force: true });
}

/** Mostly nothing is left in it, and looking for it in every hierarchy would take longer than the removal. */
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
