import { rm } from 'node:fs/promises';
import { crashPoint } from '@gantry/core/crash-points';
import { diskSemaphore } from '@gantry/core/driver';
import { conflict, internal, messageOf } from '@gantry/core/errors';
import { loggedContainer } from '../areas/logged-containers.js';
import type { Container } from '../container.js';
import { directoryOf, type Parts, storageOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { callRestartOff } from '../runs/call-restart-off.js';
import { beginRemoval, failRemoval, isAlive, isRunning } from '../transitions.js';
import { killAndWait } from './kill.js';

export interface RemoveOptions {
  /** Kill it first when it runs. */
  readonly force: boolean;
  /** Remove its anonymous volumes too. */
  readonly volumes: boolean;
}

/** Spec: DELETE /containers/(id). */
export async function remove(parts: Parts, reference: string, options: RemoveOptions): Promise<void> {
  const container = parts.store.get(reference);
  if (container.isRemoving) throw conflict(`removal of container ${reference} is already in progress`);
  container.isRemoving = true;
  try {
    await container.starting;
    if (isRunning(container.record.state)) await endIt(parts, container, options.force);
    await container.queue.run(() => takeAway(parts, container, options));
  } finally {
    container.isRemoving = false;
  }
}

/** Removes a container that was to be removed at its end. Never rejects: what fails is reported. */
export async function removeEnded(parts: Parts, container: Container): Promise<void> {
  await remove(parts, container.id, { force: false, volumes: true }).catch((error: unknown) => {
    const facts = { event: 'container.autoremove-failed', container: container.id, reason: messageOf(error) };
    parts.log.warn(facts, 'an ended container could not be removed');
  });
}

/** Removes a container whose maker is gone, also when it runs. Never rejects: what fails is reported. */
export async function removeAbandoned(parts: Parts, container: Container): Promise<void> {
  await remove(parts, container.id, { force: true, volumes: true }).catch((error: unknown) => {
    const facts = { event: 'container.abandoned', container: container.id, reason: messageOf(error) };
    parts.log.warn(facts, 'a container that its maker has left could not be removed');
  });
}

async function endIt(parts: Parts, container: Container, force: boolean): Promise<void> {
  const { id, state } = container.record;
  if (!force) {
    const what = state.status === 'paused' ? 'paused' : state.status === 'restarting' ? 'restarting' : 'running';
    const how = what === 'paused' ? 'Unpause and then stop' : 'Stop';
    throw conflict(
      `You cannot remove a ${what} container ${id}. ${how} the container before attempting removal or force remove`,
    );
  }
  if (isAlive(state)) await killAndWait(parts, container).catch((error: unknown) => ignoreEnded(container, error));
  else await container.queue.run(() => callRestartOff(container));
}

function ignoreEnded(container: Container, error: unknown): void {
  if (isRunning(container.record.state)) {
    throw internal(`Could not kill running container ${container.id}, cannot remove - ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** From the durable intent to the last trace. The caller holds the queue. */
export async function takeAway(
  parts: Parts,
  container: Container,
  options: { readonly volumes: boolean },
): Promise<void> {
  if (container.isGone) return;
  // What the last run held is given back meanwhile; the next daemon would do that for a container that is leaving, too.
  const [isLeaving] = await Promise.all([container.change(beginRemoval(options.volumes)), container.released]);
  if (!isLeaving) {
    throw conflict(`container ${container.id} was started while it was to be removed`);
  }
  crashPoint('container.remove.intended');
  const { record } = container;
  await parts.attachments.endRun(record.id);
  try {
    await Promise.all([storageOf(parts, record).removeWritable(record.id), removeFiles(parts, record)]);
  } catch (error) {
    await container.change(failRemoval(messageOf(error)));
    throw internal(`unable to remove filesystem for ${record.id}: ${messageOf(error)}`, { cause: error });
  }
  crashPoint('container.remove.emptied');
  const volumes = options.volumes ? anonymousVolumes(record) : [];
  await parts.store.delete(container, volumes);
  parts.events.publish(record, 'destroy');
  crashPoint('container.remove.deleted');
  await removeLooseVolumes(parts, record.id, volumes);
  if (parts.images.byId(record.imageId) === undefined) await collectLayers(parts);
}

async function removeFiles(parts: Parts, record: ContainerRecord): Promise<void> {
  await parts.logs.remove(loggedContainer(parts, record));
  await diskSemaphore.run(() => rm(directoryOf(parts, record.id), { recursive: true, force: true }));
}

/** Its image was removed before it, and it was what kept the layers. */
async function collectLayers(parts: Parts): Promise<void> {
  await parts.images.collect().catch((error: unknown) => {
    const facts = { event: 'container.layers-left', reason: messageOf(error) };
    parts.log.warn(facts, 'layers of removed images stay');
  });
}

const anonymousVolumes = (record: ContainerRecord): string[] =>
  record.mounts.flatMap((mount) => (mount.anonymous && mount.name ? [mount.name] : []));

/** Volumes made for one container alone; one that another container has taken over stays. */
export async function removeLooseVolumes(parts: Parts, containerId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const remove = (volume: string) =>
    parts.volumes.remove(volume).catch((error: unknown) => {
      const facts = { event: 'container.volume-left', container: containerId, volume, reason: messageOf(error) };
      parts.log.debug(facts, 'an anonymous volume stays');
    });
  await Promise.all(names.map(remove));
  await parts.store.forgetVolumes(containerId);
}
