import { mkdir, stat } from 'node:fs/promises';
import { internal, messageOf } from '@gantry/core/errors';
import type { VolumeUse } from '@gantry/volumes/service';
import { within } from '../deadline.js';
import type { Parts } from '../parts.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import { checkPropagation } from './check-propagation.js';
import { hostMountOf } from './host-mounts.js';
import type { ReadyMount } from './ready-mount.js';

/** How long a volume driver may take to mount, in milliseconds: remote ones wait for servers. */
const mountTimeout = 120_000;

const useOf = (record: ContainerRecord, mount: MountPoint): VolumeUse => ({
  containerId: record.id,
  destination: mount.destination,
  readWrite: mount.readWrite,
  propagation: mount.propagation,
});

/** Named volumes and their uses by one container. */
export const volumeUses = (record: ContainerRecord): { readonly name: string; readonly use: VolumeUse }[] =>
  record.mounts.flatMap((mount) =>
    mount.type === 'volume' && mount.name !== undefined ? [{ name: mount.name, use: useOf(record, mount) }] : [],
  );

/** Makes every mount point's source there. What was mounted before a rejection is `release`'s to unmount. */
export async function mountVolumes(parts: Parts, record: ContainerRecord): Promise<ReadyMount[]> {
  const ready = await Promise.allSettled(record.mounts.map((mount) => readyMount(parts, record, mount)));
  return ready.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function readyMount(parts: Parts, record: ContainerRecord, mount: MountPoint): Promise<ReadyMount> {
  if (mount.type === 'tmpfs') return { mount, hostPath: undefined };
  if (mount.type === 'bind') return bound(mount, await bindSource(mount));
  const name = mount.name ?? '';
  const work = parts.volumes.mount(name, useOf(record, mount));
  const reason = `volume ${name}: its driver did not mount it within ${mountTimeout / 1000} s`;
  try {
    return await bound(mount, await within(parts.clock, mountTimeout, reason, work));
  } catch (error) {
    // A driver that is only late must not keep it mounted for nobody.
    void work.then(() => parts.volumes.unmount(name, useOf(record, mount))).catch(() => undefined);
    throw error;
  }
}

/** A runtime may take a bind for leave to do what the host's mount forbids, so that is said again. */
const bound = async (mount: MountPoint, hostPath: string): Promise<ReadyMount> => ({
  mount,
  hostPath,
  forbids: (await hostMountOf(hostPath).catch(() => undefined))?.forbids ?? [],
});

/** A directory that is not there is made, as clients of `-v /host:/container` expect. */
async function bindSource({ source, propagation }: MountPoint): Promise<string> {
  try {
    await stat(source).catch(() => mkdir(source, { recursive: true }));
  } catch (cause) {
    throw internal(`error while creating mount source path '${source}': ${messageOf(cause)}`, { cause });
  }
  await checkPropagation(source, propagation);
  return source;
}
