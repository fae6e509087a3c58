import type { OciSpec, TaskPreparation, TaskRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { CgroupPlacement } from '../cgroups/cgroup-placement.js';
import { Layout, type TaskLayout } from '../layout.js';
import { LazyCatalog } from '../runtime/lazy-catalog.js';
import { type OciRuntime, sharesMounts } from '../runtime/oci-runtime.js';
import type { MonitorRequest } from './launch-monitor.js';
import { TaskRegistry } from './task-registry.js';

/** What is decided about a task before it is created; enough to roll its creation back. */
export interface TaskPlan {
  readonly request: TaskRequest;
  readonly layout: TaskLayout;
  readonly runtime: OciRuntime;
  readonly monitor: MonitorRequest;
  /** The request's, with the cgroup as the runtime takes it. */
  readonly spec: OciSpec;
  /** From the root of each hierarchy. */
  readonly cgroup: string;
  /** A process whose /dev/shm it shares. */
  readonly sharedMemoryOf: number | undefined;
  /** The number of other tasks that have not exited. */
  readonly others: number;
}

/** Checks requests for tasks. */
@injectable()
export class PlanTask {
  constructor(
    @inject(CgroupPlacement) private readonly placement: Pick<CgroupPlacement, 'place'>,
    @inject(Layout) private readonly layout: Layout,
    @inject(LazyCatalog) private readonly catalog: LazyCatalog,
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
  ) {}

  /** Whether there is no need to wait for `ready`. */
  get isReady(): boolean {
    return this.catalog.isReady;
  }

  /** Resolves when the runtimes have been probed, before which nothing can be planned. */
  async ready(): Promise<void> {
    await this.catalog.ready();
  }

  /**
   * The monitor of a task whose spec is not known: one that shares mounts with the host may need another. @throws EngineError
   * `invalid-argument` for an invalid request.
   */
  monitor({ runtime, ...rest }: TaskPreparation): MonitorRequest {
    return monitorRequest(rest, this.catalog.current.get(runtime, { sharesMounts: false }));
  }

  /** @throws EngineError `invalid-argument` for an invalid request, `conflict` when the task to share with is not running. */
  plan(request: TaskRequest): TaskPlan {
    const { id, spec } = request;
    const runtime = this.catalog.current.get(request.runtime, { sharesMounts: sharesMounts(spec) });
    const monitor = monitorRequest({ ...request, terminal: spec.process.terminal === true }, runtime);
    const placed = this.placement.place(id, spec.linux.cgroupsPath);
    const sharedMemoryOf = this.#processOf(request.sharedMemoryOf);
    const others = this.registry.all().filter(({ state: { status } }) => status !== 'exited' && status !== 'broken');
    return {
      request,
      layout: this.layout.task(id),
      runtime,
      monitor,
      spec: {
        ...spec,
        annotations: { ...spec.annotations, ...placed.annotations },
        linux: linuxOf(spec, placed.cgroupsPath),
      },
      cgroup: placed.path,
      sharedMemoryOf,
      others: others.length,
    };
  }

  #processOf(id: string | undefined): number | undefined {
    if (id === undefined) return undefined;
    const other = this.registry.find(id);
    if (other?.state.status === 'running' || other?.state.status === 'paused') return other.state.record.first.pid;
    throw conflict(`cannot share the memory of ${id}, which does not run`);
  }
}

/** @throws EngineError `invalid-argument` for a request no monitor can be started for. */
function monitorRequest(
  { id, terminal, openStdin, stdinOnce, spool }: Omit<TaskPreparation, 'runtime'>,
  runtime: OciRuntime,
): MonitorRequest {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id)) throw invalidArgument(`"${id}" is not a task id`);
  if (spool?.includes(':') === true) throw invalidArgument(`spool: "${spool}" must not contain a colon`);
  return { id, terminal, openStdin, stdinOnce, spool, runtime };
}

/** Without a cgroup nothing can be limited, and runtimes refuse rules of devices. */
function linuxOf({ linux }: OciSpec, cgroupsPath: string | undefined): OciSpec['linux'] {
  if (cgroupsPath !== undefined) return { ...linux, cgroupsPath };
  const { cgroupsPath: _, resources: __, ...rest } = linux;
  return rest;
}
