import { formatBytes } from '../../format/format-bytes';
import type { DiskKind } from './disk-kinds';

interface DiskBarProps {
  readonly kind: DiskKind;
  /** The size of a bar of the whole width. */
  readonly largest: number;
}

/** A bar for what one kind takes, its lighter part for what a prune could free. The words say the same. */
export function DiskBar({ kind: { name, size, reclaimable, objects }, largest }: DiskBarProps) {
  const text = `${name}: ${formatBytes(size)} in ${objects.length}, ${formatBytes(reclaimable)} of it not in use`;
  return (
    <figure class="disk-bar">
      <figcaption>{text}</figcaption>
      <div class="track" aria-hidden="true">
        <div class="used" style={{ width: `${(100 * (size - reclaimable)) / largest}%` }} />
        <div class="unused" style={{ width: `${(100 * reclaimable) / largest}%` }} />
      </div>
    </figure>
  );
}
