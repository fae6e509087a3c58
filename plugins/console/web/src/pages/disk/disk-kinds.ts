import type { DiskUsage } from './disk-types';

export interface DiskObject {
  readonly name: string;
  readonly size: number;
  readonly inUse: boolean;
}

/** One kind of what fills the disk. */
export interface DiskKind {
  readonly name: string;
  /** The path of its prune. */
  readonly prune: string;
  /** What a prune of it removes. */
  readonly removes: string;
  readonly size: number;
  /** What a prune could free at most. */
  readonly reclaimable: number;
  readonly objects: readonly DiskObject[];
}

export function diskKinds({ LayersSize, Images, Containers, Volumes, BuildCache }: DiskUsage): readonly DiskKind[] {
  const images = (Images ?? []).map(({ Id, RepoTags, Size, SharedSize, Containers: users }) => ({
    name: RepoTags?.[0] ?? Id.slice(0, 19),
    size: SharedSize > 0 ? Size - SharedSize : Size,
    inUse: users > 0,
  }));
  const containers = (Containers ?? []).map(({ Names, Id, State, SizeRw = 0 }) => ({
    name: Names[0]?.replace(/^\//, '') ?? Id.slice(0, 12),
    size: SizeRw,
    inUse: State === 'running' || State === 'paused',
  }));
  const volumes = (Volumes ?? []).map(({ Name, UsageData }) => ({
    name: Name,
    size: Math.max(0, UsageData?.Size ?? 0),
    inUse: (UsageData?.RefCount ?? 0) > 0,
  }));
  const cache = (BuildCache ?? [])
    .filter(({ Shared }) => !Shared)
    .map(({ ID, Description, Size, InUse }) => ({ name: Description || ID, size: Size, inUse: InUse }));
  return [
    kind('Images', '/images/prune', 'images that no container uses', images, LayersSize),
    kind('Containers', '/containers/prune', 'containers that do not run', containers),
    kind('Volumes', '/volumes/prune', 'volumes that no container uses', volumes),
    kind('Build cache', '/build/prune', 'what builds keep for the next one', cache),
  ];
}

function kind(
  name: string,
  prune: string,
  removes: string,
  objects: readonly DiskObject[],
  size = sum(objects),
): DiskKind {
  const reclaimable = Math.min(size, sum(objects.filter(({ inUse }) => !inUse)));
  return { name, prune, removes, size, reclaimable, objects: [...objects].sort((a, b) => b.size - a.size) };
}

const sum = (objects: readonly DiskObject[]): number => objects.reduce((total, { size }) => total + size, 0);
