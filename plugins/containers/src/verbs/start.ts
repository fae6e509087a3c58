import type { TaskStartFailure } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict, messageOf, notModified, unavailable } from '@gantry/core/errors';
import { rfc3339 } from '../clock.js';
import type { Container } from '../container.js';
import { type Parts, runtimeOf } from '../parts.js';
import type { ContainerRecord, StartFailure } from '../record.js';
import { makeTask } from '../runs/make-task.js';
import { release } from '../runs/release.js';
import { afterExit } from '../runs/restart-policy.js';
import { StepTimes } from '../runs/step-times.js';
import { type AfterExit, abandonStart, confirmStart, intendStart, isAlive } from '../transitions.js';
import { removeEnded } from './remove.js';

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
  if (parts.stopping.aborted) throw unavailable('the engine is stopping');
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
  const times = new StepTimes();
  try {
    const facts = await makeTask(parts, container.record, since, times);
    crashPoint('container.start.started');
    const tell = () => parts.events.publish(container.record, 'start');
    await times.of('store', container.change(confirmStart(facts), tell));
    parts.log.debug({ event: 'container.started', container: container.id, ...times.facts() }, 'container started');
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
    if (!byPolicy && container.record.hostConfig.AutoRemove) void removeEnded(parts, container);
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
