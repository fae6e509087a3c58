import { readdirSync, readFileSync } from 'node:fs';

/** The process id of the etcd that was started with a directory below the given one. Throws while none runs. */
export function findEtcd(directory: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (words[0]?.endsWith('etcd') === true && words.some((word) => word.startsWith(directory))) return Number(pid);
    } catch {
      // exited meanwhile
    }
  }
  throw new Error('etcd does not run');
}
