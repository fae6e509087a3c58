/** Something that builds keep for later ones, as it is now. */
export interface CacheFacts {
  readonly id: string;
  /** As BuildKit names it: a cache of `RUN --mount`, a directory of a client, or the image of a step. */
  readonly type: 'exec.cachemount' | 'source.local' | 'regular';
  readonly description: string;
  /** Bytes of its files. */
  readonly size: number;
  readonly created: Date;
  readonly lastUsed: Date;
  readonly isInUse: boolean;
}

/** How much is kept, as in BuildKit's policies. Zero: no limit. */
interface CacheLimits {
  /** Bytes that are kept in any case. */
  readonly reservedSpace: number;
  /** Most bytes. */
  readonly maxUsedSpace: number;
  /** Bytes of the disk that others shall find free. */
  readonly minFreeSpace: number;
}

export interface PruneOptions {
  /** Only these. */
  readonly matches?: (cache: CacheFacts) => boolean;
  /** Only those that were not used after this time. */
  readonly unusedSince?: Date | undefined;
  /** Stop as soon as they are kept to; the least recently used are removed first. Everything goes without. */
  readonly limits?: CacheLimits | undefined;
}

/** The bytes that limits allow caches of a size to have. @param free bytes of the disk. */
export function allowedBytes(
  { reservedSpace, maxUsedSpace, minFreeSpace }: CacheLimits,
  size: number,
  free: number,
): number {
  if (maxUsedSpace === 0 && minFreeSpace === 0) return reservedSpace;
  const allowed = maxUsedSpace === 0 ? size : maxUsedSpace;
  const missing = Math.max(0, minFreeSpace - free);
  return Math.max(reservedSpace, Math.min(allowed, missing === 0 ? allowed : size - missing));
}
