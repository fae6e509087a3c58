import { readFileSync, writeFileSync } from 'node:fs';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import type { Sysctl } from './netlink.js';

/** With slashes a name may hold an interface that has dots in its own. */
function pathOf(name: string): string {
  const path = name.includes('/') ? name : name.replaceAll('.', '/');
  if (path.split('/').includes('..')) throw new TypeError(`"${name}" is not the name of a kernel setting`);
  return `/proc/sys/${path}`;
}

/** What the files show depends on the namespace of the thread that opens them. */
function there<T>(namespace: NamespaceReference | undefined, action: () => T): T {
  return namespace === undefined ? action() : kernelNamespaces.runInNetwork(namespace, action);
}

export const kernelSysctl: Sysctl = {
  read: (name, namespace) => {
    try {
      return there(namespace, () => readFileSync(pathOf(name), 'utf8')).trim();
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  },
  write: (name, value, namespace) => {
    try {
      there(namespace, () => writeFileSync(pathOf(name), `${value}`, { flag: 'r+' }));
    } catch (cause) {
      const errno = cause instanceof Error ? (cause as NodeJS.ErrnoException).errno : undefined;
      throw errno === undefined ? cause : new LinuxError(Math.abs(errno), 'sysctl', { path: name, cause });
    }
  },
};
