import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { crashPoint } from '@gantry/core/crash-points';
import { diskSemaphore } from '@gantry/core/driver';
import { invalidArgument, messageOf, unavailable } from '@gantry/core/errors';
import type { Image } from '@gantry/images/service';
import { loggedContainer } from '../areas/logged-containers.js';
import { rfc3339 } from '../clock.js';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import { parseStorageSize } from '../configuration/parse-storage-size.js';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import { checkName } from '../names/check-name.js';
import { generateName } from '../names/generate-name.js';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import type { CreateBody } from '../schema.js';

export interface Created {
  readonly id: string;
  readonly warnings: readonly string[];
}

export interface CreateOptions {
  /** It is removed by a daemon that starts, for its maker is gone then. */
  readonly temporary?: boolean;
}

/** Spec: POST /containers/create. Durable when it resolves; on rejection nothing of it is left. */
export async function create(
  parts: Parts,
  body: CreateBody,
  name: string | undefined,
  options: CreateOptions = {},
): Promise<Created> {
  if (parts.stopping.aborted) throw unavailable('the engine is stopping');
  const wanted = name === undefined || name === '' ? undefined : checkName(name);
  if (!body.Image) throw invalidArgument('no image specified');
  const image = parts.images.get(body.Image);
  const id = randomBytes(32).toString('hex');
  const prepared = parts.configuration.prepareCreate(body, image, { id, containers: parts.containers });
  const finalName = wanted ?? generateName((candidate) => parts.store.isNameTaken(candidate));
  const giveNameBack = parts.store.reserve(finalName, id);
  const letImageGo = parts.images.hold(image.id);
  try {
    await make(parts, { id, name: finalName, image, imageName: body.Image, prepared, options });
    return { id, warnings: prepared.warnings };
  } catch (error) {
    giveNameBack();
    throw error;
  } finally {
    letImageGo();
  }
}

interface Plan {
  readonly id: string;
  readonly name: string;
  readonly image: Image;
  readonly imageName: string;
  readonly prepared: PreparedContainer;
  readonly options: CreateOptions;
}

async function make(parts: Parts, { id, name, image, imageName, prepared, options }: Plan): Promise<void> {
  const storageDriver = parts.storages.defaultId ?? '';
  const storage = parts.storages.get();
  const size = parseStorageSize(prepared.hostConfig.StorageOpt);
  // Names are made up here and noted before the volumes are made.
  const own: string[] = [];
  const wanted = prepared.mounts.map((mount): PreparedMount => {
    if (mount.type !== 'volume' || mount.name) return mount;
    const volume = randomBytes(32).toString('hex');
    own.push(volume);
    return { ...mount, name: volume, anonymous: true };
  });
  await parts.store.intendVolumes(id, own);
  const parent = image.topLayer;
  const writable = { id, ...(parent !== undefined && { parent }), ...(size !== undefined && { size }) };
  const steps = [
    Promise.all(wanted.map((mount) => mountPoint(parts, mount))),
    storage.createWritable(writable),
    diskSemaphore.run(() => mkdir(directoryOf(parts, id), { recursive: true, mode: 0o710 })),
  ] as const;
  try {
    const [mounts] = await Promise.all(steps);
    crashPoint('container.create.made');
    const { path, args, config, hostConfig, networks } = prepared;
    const record: ContainerRecord = {
      id,
      name,
      createdAt: rfc3339(parts.clock.now()),
      imageId: image.id,
      imageName,
      path,
      args,
      config,
      hostConfig,
      networks,
      mounts,
      storageDriver,
      state: { status: 'created' },
      restartCount: 0,
      stoppedByUser: false,
      everStarted: false,
      ...(options.temporary === true && { temporary: true }),
    };
    await parts.store.insert(record);
    crashPoint('container.create.stored');
    parts.events.publish(record, 'create');
    parts.logs.prepare(loggedContainer(parts, record));
  } catch (error) {
    await Promise.allSettled(steps);
    await undo(parts, id, own);
    throw error;
  }
}

async function mountPoint(parts: Parts, prepared: PreparedMount): Promise<MountPoint> {
  const { volumeOptions, volumeLabels, ...mount } = prepared;
  if (mount.type !== 'volume') return mount;
  const volume = await parts.volumes.ensure({
    ...(mount.name !== undefined && { name: mount.name }),
    ...(mount.driver !== undefined && mount.driver !== '' && { driver: mount.driver }),
    ...(volumeOptions !== undefined && { options: volumeOptions }),
    ...(volumeLabels !== undefined && { labels: volumeLabels }),
  });
  return { ...mount, name: volume.name, driver: volume.driver, source: volume.mountpoint };
}

async function undo(parts: Parts, id: string, volumes: readonly string[]): Promise<void> {
  const outcomes = await Promise.allSettled([
    parts.storages.get().removeWritable(id),
    diskSemaphore.run(() => rm(directoryOf(parts, id), { recursive: true, force: true })),
    ...volumes.map((volume) => parts.volumes.remove(volume)),
  ]);
  await parts.store.forgetVolumes(id).catch(() => undefined);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    const facts = { event: 'container.create-left', container: id, reason: messageOf(outcome.reason) };
    parts.log.warn(facts, 'something of a failed create may be left');
  }
}
