import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { internal } from '@gantry/core/errors';

/** One mount of the host, as far as it matters here. */
interface HostMount {
  readonly target: string;
  readonly isShared: boolean;
  readonly isSlave: boolean;
}

/**
 * Mounts made later only travel where the host's mount lets them: without that, the mode of a bind would be a wish that
 * comes to nothing. Rejects `internal`, saying which mount is in the way.
 */
export async function checkPropagation(source: string, propagation: string): Promise<void> {
  const isToShare = /^r?shared$/.test(propagation);
  if (!isToShare && !/^r?slave$/.test(propagation)) return;
  const mount = mountOf(await realpath(source), parseMounts(await readFile('/proc/self/mountinfo', 'utf8')));
  if (mount === undefined || mount.isShared || (!isToShare && mount.isSlave)) return;
  const needed = isToShare ? 'shared' : 'shared or slave';
  throw internal(`path ${source} is mounted on ${mount.target} but it is not a ${needed} mount`);
}

/** The mount a path is on: the longest target that is above it, and of several at one place the last. */
function mountOf(file: string, mounts: readonly HostMount[]): HostMount | undefined {
  let found: HostMount | undefined;
  for (const mount of mounts) {
    const isAbove = !path.relative(mount.target, file).startsWith('..');
    if (isAbove && mount.target.length >= (found?.target.length ?? 0)) found = mount;
  }
  return found;
}

/** Lines such as `36 35 98:0 /root /target rw,noatime shared:1 master:2 - ext4 /dev/sda rw`. */
export function parseMounts(text: string): readonly HostMount[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const optional = fields.slice(6, fields.indexOf('-'));
    const target = fields[4];
    if (target === undefined) return [];
    return {
      target: target.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      isShared: optional.some((field) => field.startsWith('shared:')),
      isSlave: optional.some((field) => field.startsWith('master:')),
    };
  });
}
