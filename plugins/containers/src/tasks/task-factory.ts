import { ContainerLogs } from '@gantry/container-logs/service';
import type { OciSpec, RuntimeDriver, TaskPreparation, TaskRequest, TaskStatus } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import { LoggedRecords } from '../logging/logged-records.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import { Attachments } from '../streams/attachments.js';
import type { StartFacts } from '../transitions.js';
import { allSettled } from './all-settled.js';
import { BundlePreparation } from './bundle-preparation.js';
import type { StepTimes } from './step-times.js';

/** Creates and starts the tasks of containers. */
@injectable()
export class TaskFactory {
  constructor(
    @inject(BundlePreparation) private readonly bundles: BundlePreparation,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerLogs.token) private readonly logs: ContainerLogs,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the program runs. Clients that attached before get all of its output. On rejection the caller
   * releases what there is.
   */
  async start(record: ContainerRecord, since: bigint, times: StepTimes): Promise<StartFacts> {
    const { id } = record;
    const runtime = this.drivers.runtimeOf(record);
    const logged = this.logged.of(record);
    const spool = this.logs.spoolFor(logged, since);
    const preparation = this.#preparation(record, spool);
    const [, { spec, mounts, networkIds }] = await allSettled([
      times.of('monitor', prepareTask(runtime, preparation)),
      this.bundles.prepare(record, times),
    ]);
    const creating = createTask(runtime, taskRequest(record, preparation, spec)).finally(() =>
      this.bundles.release(id),
    );
    const task = await times.of('create', creating);
    crashPoint('container.start.created');
    if (spool !== undefined) this.logs.start(logged, spool);
    await this.attachments.connectWaiting(record, runtime);
    const startedAt = rfc3339(this.clock.now());
    await times.of('start', runtime.startTask(id));
    const sources = new Map(mounts.flatMap(({ mount, hostPath }) => (hostPath ? [[mount.destination, hostPath]] : [])));
    return { pid: 'pid' in task ? task.pid : 0, startedAt, networkIds, sources };
  }

  #preparation(record: ContainerRecord, spool: string | undefined): TaskPreparation {
    const { OpenStdin = false, StdinOnce = false, Tty = false } = record.config;
    const runtime = this.drivers.runtimeName(record);
    return {
      id: record.id,
      openStdin: OpenStdin,
      stdinOnce: OpenStdin && StdinOnce,
      terminal: Tty,
      spool,
      ...(runtime !== undefined && { runtime }),
    };
  }
}

function taskRequest(record: ContainerRecord, preparation: TaskPreparation, spec: OciSpec): TaskRequest {
  const { terminal: _, ...known } = preparation;
  const sharedMemoryOf = sharedMemory(record);
  return { ...known, spec, ...(sharedMemoryOf !== undefined && { sharedMemoryOf }) };
}

/** What fails here fails in `create`, too, which reports it. */
async function prepareTask(runtime: RuntimeDriver, preparation: TaskPreparation): Promise<void> {
  await runtime.prepareTask?.(preparation).catch(() => undefined);
}

/** A task that an earlier start or exit failed to delete is deleted first. */
async function createTask(runtime: RuntimeDriver, request: TaskRequest): Promise<TaskStatus> {
  try {
    return await runtime.create(request);
  } catch (error) {
    const exists = kindOf(error) === 'conflict' && (await runtime.tasks()).some(({ id }) => id === request.id);
    if (!exists) throw error;
    await runtime.delete(request.id, { force: true });
    return runtime.create(request);
  }
}

/** The container whose IPC namespace is joined shares its /dev/shm, unless something else is mounted there. */
function sharedMemory({ hostConfig, mounts }: ContainerRecord): string | undefined {
  const hasOwn = mounts.some(({ destination }) => destination === '/dev/shm');
  return hasOwn ? undefined : joinedContainer(hostConfig.IpcMode);
}
