import { mkdir } from 'node:fs/promises';
import { crashPoint, type TaskStartFailure } from '@gantry/core/contracts';
import { conflict, messageOf, notModified } from '@gantry/core/errors';
import { rfc3339 } from './clock.js';
import type { Container } from './container.js';
import { copyUp } from './mounts/copy-up.js';
import { mountVolumes } from './mounts/mount-volumes.js';
import { directoryOf, type Parts, runtimeName, runtimeOf, storageOf } from './parts.js';
import type { ContainerRecord, StartFailure } from './record.js';
import { release } from './release.js';
import { afterExit } from './restart-policy.js';
import { resolveLinks } from './sandbox/links.js';
import { openSandbox } from './sandbox/open-sandbox.js';
import { type AfterExit, abandonStart, confirmStart, intendStart, isAlive, type StartFacts } from './transitions.js';

/** Spec: POST /containers/(id)/start. Durable when it resolves; on rejection nothing runs and nothing is held. */
export function start(parts: Parts, reference: string): Promise<void> {
  const container = parts.store.get(reference);
  return container.queue.run(async () => {
    const { state, id } = container.record;
    if (state.status === 'paused') throw conflict('cannot start a paused container, try unpause instead');
    if (isAlive(state) || state.status === 'restarting') throw notModified(`Container ${id} is already started`);
    await startContainer(parts, container, { byPolicy: false });
  });
}

/** The start itself; the caller holds the container's queue. */
export async function startContainer(
  parts: Parts,
  container: Container,
  options: { readonly byPolicy: boolean },
): Promise<void> {
  let settle: () => void = () => undefined;
  container.starting = new Promise((resolve) => {
    settle = resolve;
  });
  try {
    await container.released;
    const since = parts.clock.now();
    if (container.isRemoving || !(await container.change(intendStart(rfc3339(since), options)))) {
      throw conflict(`container ${container.id} is marked for removal and cannot be started`);
    }
    crashPoint('container.start.intended');
    await attempt(parts, container, since, options);
  } finally {
    container.starting = undefined;
    settle();
  }
}

async function attempt(
  parts: Parts,
  container: Container,
  since: bigint,
  { byPolicy }: { readonly byPolicy: boolean },
): Promise<void> {
  try {
    const facts = await makeTask(parts, container.record, since);
    crashPoint('container.start.started');
    await container.change(confirmStart(facts), () => parts.events.publish(container.record, 'start'));
    crashPoint('container.start.confirmed');
    // For clients who came while it was starting.
    void parts.attachments.connectLate(container.record, runtimeOf(parts, container.record));
  } catch (error) {
    await parts.attachments.endRun(container.id);
    await release(parts, container);
    parts.logs.finish(container.id);
    const failure = failureOf(error);
    const after = (record: ContainerRecord) => (byPolicy ? retry(container, record, failure) : 'stays');
    await container.change(abandonStart(failure, after)).catch((fault: unknown) => {
      const facts = { event: 'container.not-stored', container: container.id, reason: messageOf(fault) };
      parts.log.error(facts, 'the end of a start could not be stored');
    });
    throw error;
  }
}

/** What the restart policy wants after a failed start. */
const retry = (container: Container, record: ContainerRecord, { exitCode }: StartFailure): AfterExit => {
  const { hostConfig, stoppedByUser, restartCount } = record;
  const delay = { last: container.restartDelay, ranFor: 0 };
  return afterExit(hostConfig.RestartPolicy, { exitCode, stoppedByUser, restartCount }, delay);
};

const failureOf = (error: unknown): StartFailure => ({
  message: messageOf(error),
  exitCode: (error as Partial<TaskStartFailure>).exitCode ?? 128,
});

/** Everything from the mounted root to the running program, side by side where one does not need the other. */
async function makeTask(parts: Parts, record: ContainerRecord, since: bigint): Promise<StartFacts> {
  const { id, config } = record;
  const runtime = runtimeOf(parts, record);
  const directory = directoryOf(parts, id);
  const links = resolveLinks(record, parts.containers, parts.networks);
  const [rootfs, network, mounts] = await settleAll([
    storageOf(parts, record).mount(id),
    openSandbox(parts, record, links),
    mountVolumes(parts, record),
    mkdir(directory, { recursive: true, mode: 0o710 }),
  ]);
  crashPoint('container.start.mounted');
  const [files] = await settleAll([network.files(), copyUp(parts, record, rootfs, mounts)]);
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
  const spool = parts.logs.spoolFor(record, since);
  const { OpenStdin = false, StdinOnce = false } = config;
  const name = runtimeName(parts, record);
  const stdin = { openStdin: OpenStdin, stdinOnce: OpenStdin && StdinOnce };
  const task = await runtime.create({ id, spec, spool, ...stdin, ...(name !== undefined && { runtime: name }) });
  crashPoint('container.start.created');
  if (spool !== undefined) parts.logs.begin(record, spool);
  await parts.attachments.connectWaiting(record, runtime);
  const startedAt = rfc3339(parts.clock.now());
  await runtime.startTask(id);
  const sources = new Map(mounts.flatMap(({ mount, hostPath }) => (hostPath ? [[mount.destination, hostPath]] : [])));
  return { pid: 'pid' in task ? task.pid : 0, startedAt, networkIds: network.networkIds, sources };
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
