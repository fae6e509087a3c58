import { mkdir } from 'node:fs/promises';
import type { RuntimeDriver, TaskRequest, TaskStatus } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { kindOf } from '@gantry/core/errors';
import { loggedContainer } from '../areas/logged-containers.js';
import { rfc3339 } from '../clock.js';
import { copyUp } from '../mounts/copy-up.js';
import { mountVolumes } from '../mounts/mount-volumes.js';
import { directoryOf, type Parts, runtimeName, runtimeOf, storageOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import { resolveLinks } from '../sandbox/links.js';
import { openSandbox } from '../sandbox/open-sandbox.js';
import type { StartFacts } from '../transitions.js';
import type { StepTimes } from './step-times.js';

/**
 * Everything from the mounted root to the running program, side by side where one does not need the other. Volumes wait
 * for the network, as clients are told of them in that order.
 */
export async function makeTask(
  parts: Parts,
  record: ContainerRecord,
  since: bigint,
  times: StepTimes,
): Promise<StartFacts> {
  const { id, config } = record;
  const runtime = runtimeOf(parts, record);
  const directory = directoryOf(parts, id);
  const links = resolveLinks(record, parts.containers, parts.networks);
  const opening = times.of('network', openSandbox(parts, record, links));
  const [rootfs, network, mounts] = await settleAll([
    times.of('mount', storageOf(parts, record).mount(id)),
    opening,
    opening.then(() => times.of('volumes', mountVolumes(parts, record))),
    mkdir(directory, { recursive: true, mode: 0o710 }),
  ]);
  crashPoint('container.start.mounted');
  const [files] = await times.of('files', settleAll([network.files(), copyUp(parts, record, rootfs, mounts)]));
  const spec = await parts.bundles.buildSpec({
    record,
    image: parts.images.byId(record.imageId),
    rootfs,
    mounts,
    networkNamespace: network.namespace,
    files,
    links,
    containers: parts.containers,
    directory,
  });
  const logged = loggedContainer(parts, record);
  const spool = parts.logs.spoolFor(logged, since);
  const { OpenStdin = false, StdinOnce = false } = config;
  const name = runtimeName(parts, record);
  const stdin = { openStdin: OpenStdin, stdinOnce: OpenStdin && StdinOnce };
  const sharedMemoryOf = sharedMemory(record);
  const request = {
    id,
    spec,
    spool,
    ...stdin,
    ...(name !== undefined && { runtime: name }),
    ...(sharedMemoryOf !== undefined && { sharedMemoryOf }),
  };
  const task = await times.of('create', createTask(runtime, request));
  crashPoint('container.start.created');
  if (spool !== undefined) parts.logs.start(logged, spool);
  await parts.attachments.connectWaiting(record, runtime);
  const startedAt = rfc3339(parts.clock.now());
  await times.of('start', runtime.startTask(id));
  const sources = new Map(mounts.flatMap(({ mount, hostPath }) => (hostPath ? [[mount.destination, hostPath]] : [])));
  return { pid: 'pid' in task ? task.pid : 0, startedAt, networkIds: network.networkIds, sources };
}

/** One that an earlier start or end could not take away is taken away now. */
async function createTask(runtime: RuntimeDriver, request: TaskRequest): Promise<TaskStatus> {
  try {
    return await runtime.create(request);
  } catch (error) {
    const isLeft = kindOf(error) === 'conflict' && (await runtime.tasks()).some(({ id }) => id === request.id);
    if (!isLeft) throw error;
    await runtime.delete(request.id, { force: true });
    return runtime.create(request);
  }
}

/** With the IPC namespace of another container comes its shared memory, unless there is a mount in its place. */
function sharedMemory({ hostConfig, mounts }: ContainerRecord): string | undefined {
  const hasOwn = mounts.some(({ destination }) => destination === '/dev/shm');
  return hasOwn ? undefined : joinedContainer(hostConfig.IpcMode);
}

/** Like `Promise.all`, but rejects only when none is under way any more, so that undoing meets no work in flight. */
async function settleAll<T extends readonly unknown[]>(
  work: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  const outcomes = await Promise.allSettled(work);
  const values = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return values as unknown as T;
}
