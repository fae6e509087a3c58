export interface DiskUsage {
  readonly LayersSize: number;
  readonly Images: readonly DiskImage[] | null;
  readonly Containers: readonly DiskContainer[] | null;
  readonly Volumes: readonly DiskVolume[] | null;
  readonly BuildCache: readonly DiskCacheRecord[] | null;
}

interface DiskImage {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly Size: number;
  readonly SharedSize: number;
  /** Containers made from it; -1 when they were not counted. */
  readonly Containers: number;
}

interface DiskContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly State: string;
  readonly SizeRw?: number;
}

interface DiskVolume {
  readonly Name: string;
  readonly UsageData?: { readonly Size: number; readonly RefCount: number };
}

interface DiskCacheRecord {
  readonly ID: string;
  readonly Description: string;
  readonly Size: number;
  readonly InUse: boolean;
  readonly Shared: boolean;
}
