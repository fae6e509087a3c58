import type { PathStat } from '@gantry/core/contracts';
import { zeroTime } from '@gantry/core/driver';
import type { ClientPath } from './client-path.js';
import { toFileMode } from './to-file-mode.js';

/** Spec: the object in `X-Engine-Container-Path-Stat`. */
export interface PathStatHeader {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  /** RFC 3339. */
  readonly mtime: string;
  readonly linkTarget: string;
}

export const toPathStat = ({ name }: ClientPath, { size, mode, modified, linkTarget }: PathStat): PathStatHeader => ({
  name,
  size,
  mode: toFileMode(mode),
  mtime: timeText(modified),
  linkTarget,
});

/** RFC 3339 with as many decimals as needed. */
function timeText({ seconds, nanoseconds }: PathStat['modified']): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  // A file can have times that the format cannot express.
  if (!(year >= 0 && year <= 9999)) return zeroTime;
  const fraction = nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0')}`.replace(/0+$/, '');
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

export const encodePathStat = (stat: PathStatHeader): string => Buffer.from(JSON.stringify(stat)).toString('base64');
