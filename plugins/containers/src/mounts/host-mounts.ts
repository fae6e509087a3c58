import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** One mount of the host, as far as it matters to binds of what is on it. */
interface HostMount {
  readonly target: string;
  readonly isShared: boolean;
  readonly isSlave: boolean;
  /** What it forbids, as mount(8) has it: `ro`, `nosuid`, `nodev`, `noexec`. */
  readonly forbids: readonly string[];
}

/** The mount that a path is on. */
export async function hostMountOf(file: string): Promise<HostMount | undefined> {
  const [real, table] = await Promise.all([realpath(file), readFile('/proc/self/mountinfo', 'utf8')]);
  return mountOf(real, parseMounts(table));
}

/** The longest target that is above it, and of several at one place the last. */
function mountOf(file: string, mounts: readonly HostMount[]): HostMount | undefined {
  let found: HostMount | undefined;
  for (const mount of mounts) {
    const isAbove = !path.relative(mount.target, file).startsWith('..');
    if (isAbove && mount.target.length >= (found?.target.length ?? 0)) found = mount;
  }
  return found;
}

const prohibitions = ['ro', 'nosuid', 'nodev', 'noexec'];

/** Lines such as `36 35 98:0 /root /target rw,noatime shared:1 master:2 - ext4 /dev/sda rw`. */
export function parseMounts(text: string): readonly HostMount[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const optional = fields.slice(6, fields.indexOf('-'));
    const [, , , , target, options = ''] = fields;
    if (target === undefined) return [];
    return {
      target: target.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      isShared: optional.some((field) => field.startsWith('shared:')),
      isSlave: optional.some((field) => field.startsWith('master:')),
      forbids: options.split(',').filter((option) => prohibitions.includes(option)),
    };
  });
}
