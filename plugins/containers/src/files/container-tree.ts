import { access } from 'node:fs/promises';
import type { MountedTree } from '@gantry/archive';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import { isAlive } from '../transitions.js';
import type { HeldRoot } from './hold-root.js';

type TreeMount = MountedTree['mounts'][number];
type FileMount = TreeMount & { readonly source: string };

/**
 * What a container's processes see: its root with volumes, binds and, while it runs, tmpfs at their places, and the files
 * that describe its network. What is the kernel's, such as /proc, is not in it, nor is what they mounted themselves.
 */
export async function containerTree(parts: Parts, record: ContainerRecord, root: HeldRoot): Promise<MountedTree> {
  const mounts: TreeMount[] = root.mounts.map(({ mount, hostPath }) => ({
    source: hostPath,
    target: mount.destination,
    readOnly: !mount.readWrite,
  }));
  const taken = new Set(record.mounts.map(({ destination }) => destination));
  const files = await networkFiles(parts, record);
  const free = files.filter(({ target }) => !taken.has(target));
  return {
    directory: root.directory,
    mounts: [...mounts, ...temporary(record), ...free],
    readOnly: record.hostConfig.ReadonlyRootfs === true,
  };
}

function temporary({ mounts, state }: ContainerRecord): readonly TreeMount[] {
  if (!isAlive(state)) return [];
  const { pid } = state;
  return mounts
    .filter(({ type }) => type === 'tmpfs')
    .map(({ destination }) => ({ source: { pid, path: destination }, target: destination, readOnly: false }));
}

/** Of the container whose network it is in. There are none before the first start. */
async function networkFiles(parts: Parts, record: ContainerRecord): Promise<readonly FileMount[]> {
  if (!record.everStarted) return [];
  const directory = directoryOf(parts, ownerOf(parts, record)?.id ?? record.id);
  const readOnly = record.hostConfig.ReadonlyRootfs === true;
  const files = ['hosts', 'hostname', 'resolv.conf'].map((name) => ({
    source: `${directory}/${name}`,
    target: `/etc/${name}`,
    readOnly,
  }));
  const there = await Promise.all(files.map(({ source }) => isThere(source)));
  return files.filter((_, index) => there[index]);
}

function ownerOf(parts: Parts, record: ContainerRecord): ContainerRecord | undefined {
  let owner: ContainerRecord | undefined = record;
  // A ring of containers cannot run, but it can be written down.
  for (let steps = 0; owner !== undefined && steps < 16; steps++) {
    const other = joinedContainer(owner.hostConfig.NetworkMode);
    if (other === undefined) return owner;
    owner = find(parts, other);
  }
  return undefined;
}

function find(parts: Parts, reference: string): ContainerRecord | undefined {
  try {
    return parts.containers.get(reference);
  } catch {
    return undefined;
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
