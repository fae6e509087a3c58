import type { RuntimeDriver, TaskExit, TaskStatus } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import { loggedContainer } from '../areas/logged-containers.js';
import { leaveUnrecorded } from '../areas/network-containers.js';
import type { Container } from '../container.js';
import { volumeUses } from '../mounts/mount-volumes.js';
import type { Parts } from '../parts.js';
import { recordExit } from '../runs/exits.js';
import { untilEnded } from '../runs/note-stop.js';
import { release } from '../runs/release.js';
import { wantsRestartAtBoot } from '../runs/restart-policy.js';
import { scheduleRestart } from '../runs/restarts.js';
import { storeAtLast } from '../store/store-at-last.js';
import { abandonStart, isAlive, pauseRun, resumeRun } from '../transitions.js';
import { removeAbandoned, removeEnded, takeAway } from '../verbs/remove.js';
import { startContainer } from '../verbs/start.js';
import { isOthers } from './others-tasks.js';

interface FoundTask {
  readonly runtime: RuntimeDriver;
  readonly status: TaskStatus;
}

/** What became of the containers an earlier daemon ran. */
export interface Adopted {
  /** They run and go on running. */
  readonly running: number;
  /** They ended meanwhile. */
  readonly ended: number;
  /** Starts and removals that were cut off. */
  readonly repaired: number;
}

/**
 * Compares what is stored with what runs. Running containers go on without noticing, ends are recorded with their own
 * time and code, half-done starts are undone and half-done removals finished. Exits are watched before it is called.
 */
export async function adopt(parts: Parts): Promise<Adopted> {
  const tasks = await findTasks(parts);
  const all = [...parts.store.all()];
  const isRunningTask = ({ id }: Container) => isLive(tasks.get(id)?.status);
  const live = all.filter((container) => isAlive(container.record.state) && isRunningTask(container));
  const gone = all.filter((container) => isAlive(container.record.state) && !isRunningTask(container));
  const halfDone = all.filter(({ record }) => record.state.status === 'starting');
  // Nobody can say what they are; they run on, and keep what they have.
  const unread = parts.store.setAside().filter((id) => isLive(tasks.get(id)?.status));
  const leaving = all.filter(({ record }) => record.state.status === 'removing');
  await Promise.all([
    parts.networks.restore([...live.map(({ id }) => id), ...unread]),
    parts.volumes.restore(live.flatMap(({ record }) => volumeUses(record))).catch((error: unknown) => {
      parts.log.error({ event: 'container.volumes-left', reason: messageOf(error) }, 'volumes could not be restored');
    }),
  ]);
  await Promise.all([
    ...live.map((container) => goOn(container, tasks.get(container.id)?.status, parts)),
    ...gone.map((container) => end(parts, container, tasks.get(container.id))),
    ...halfDone.map((container) => undoStart(parts, container)),
    ...leaving.map((container) => finishRemoval(parts, container)),
    ...[...tasks.values()].map((task) => deleteStray(parts, task)),
  ]);
  for (const container of all) bringBack(parts, container, gone);
  return { running: live.length, ended: gone.length, repaired: halfDone.length + leaving.length };
}

async function findTasks(parts: Parts): Promise<ReadonlyMap<string, FoundTask>> {
  const lists = await Promise.all(
    [...parts.runtimes.entries()].map(async ([, runtime]) =>
      (await runtime.tasks()).map((status) => [status.id, { runtime, status }] as const),
    ),
  );
  return new Map(lists.flat());
}

const isLive = (status: TaskStatus | undefined): boolean => status?.status === 'running' || status?.status === 'paused';

async function goOn(container: Container, task: TaskStatus | undefined, parts: Parts): Promise<void> {
  parts.logs.resume(loggedContainer(parts, container.record));
  // Frozen or thawed behind the daemon's back, or between the deed and its record.
  if (task?.status === 'paused') await container.change(pauseRun);
  if (task?.status === 'running') await container.change(resumeRun);
  await leaveUnrecorded(parts, container);
}

/** It ended while nobody watched; without an exit on disk (the host was restarted) nobody knows how. */
async function end(parts: Parts, container: Container, task: FoundTask | undefined): Promise<void> {
  parts.logs.resume(loggedContainer(parts, container.record));
  const runtime = task?.runtime ?? parts.runtimes.get();
  const lost = task?.status.status === 'broken' ? task.status.reason : 'its process is gone, and no exit was recorded';
  const unknown: TaskExit = { id: container.id, exitCode: 255, exitedAt: new Date(), oomKilled: false, lost };
  const recorded = recordExit(parts, runtime, task?.status.status === 'exited' ? task.status : unknown);
  // With a disk that takes nothing it goes on in the background: a daemon that tells what it knows is better than none.
  await Promise.race([recorded, untilEnded(container).catch(() => undefined)]);
}

/** Nobody was told that it started. */
async function undoStart(parts: Parts, container: Container): Promise<void> {
  await release(parts, container);
  const abandoned = storeAtLast(parts, container, abandonStart());
  await Promise.race([abandoned, container.until(() => container.endRefused !== undefined)]);
}

async function finishRemoval(parts: Parts, container: Container): Promise<void> {
  const { state } = container.record;
  const volumes = state.status === 'removing' && state.withVolumes;
  try {
    await container.queue.run(() => takeAway(parts, container, { volumes }));
  } catch (error) {
    const facts = { event: 'container.removal-failed', container: container.id, reason: messageOf(error) };
    parts.log.error(facts, 'a removal that was cut off cannot be finished');
  }
}

/** A task of no container, or one whose exit was recorded and whose rest was not cleared away. */
async function deleteStray(parts: Parts, { runtime, status }: FoundTask): Promise<void> {
  if (isOthers(status.id) || parts.store.setAside().includes(status.id)) return;
  const state = parts.store.byId(status.id)?.record.state;
  if (state !== undefined && (isAlive(state) || state.status === 'starting')) return;
  await runtime.delete(status.id, { force: true }).catch((error: unknown) => {
    const facts = { event: 'container.task-left', container: status.id, reason: messageOf(error) };
    parts.log.error(facts, 'a task without a container could not be removed');
  });
}

/** What the restart policies want of containers that do not run. Those that ended just now see to it themselves. */
function bringBack(parts: Parts, container: Container, gone: readonly Container[]): void {
  if (container.record.temporary === true) {
    void removeAbandoned(parts, container);
    return;
  }
  const { state, hostConfig, stoppedByUser, restartCount } = container.record;
  if (gone.includes(container)) return;
  if (state.status === 'restarting') scheduleRestart(parts, container);
  if (state.status !== 'exited') return;
  if (hostConfig.AutoRemove) {
    void removeEnded(parts, container);
    return;
  }
  const { exitCode } = state.last;
  if (!wantsRestartAtBoot(hostConfig.RestartPolicy, { exitCode, stoppedByUser, restartCount })) return;
  void container.queue
    .run(() => startContainer(parts, container, { byPolicy: false }))
    .catch((error: unknown) => {
      const facts = { event: 'container.restart-failed', container: container.id, reason: messageOf(error) };
      parts.log.warn(facts, 'a container could not be started again');
    });
}
