import { readFile, writeFile } from 'node:fs/promises';
import { isErrno } from '../errors/linux-error.js';
import { isInUserNamespace } from '../host/user-namespace.js';
import { relabelOnce, relabelTree } from './relabel-tree.js';
import type { ContainerContexts, SELinux } from './selinux.js';

const directory = '/sys/fs/selinux';

async function containerContexts(): Promise<ContainerContexts | undefined> {
  // Mounts with contexts, and labels of the host's files, are for root of the host only.
  if (isInUserNamespace()) return undefined;
  // Before a policy is loaded every process has this one.
  const own = await textOf('/proc/self/attr/current');
  if ((await textOf(`${directory}/enforce`)) === '' || own.replace(/\0$/, '') === 'kernel') return undefined;
  const type = /^SELINUXTYPE=(\S+)$/m.exec(await textOf('/etc/selinux/config'))?.[1] ?? 'targeted';
  const contexts = parseContexts(await textOf(`/etc/selinux/${type}/contexts/lxc_contexts`));
  for (const context of Object.values(contexts ?? {})) if (!(await isValid(context))) return undefined;
  return contexts;
}

/** Lines such as `process = "system_u:system_r:container_t:s0"`. */
export function parseContexts(text: string): ContainerContexts | undefined {
  const value = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*"([^"]+)"`, 'm').exec(text)?.[1];
  const [process, file] = [value('process'), value('file')];
  if (process === undefined || file === undefined) return undefined;
  return { process, file, image: value('ro_file') ?? file };
}

async function isValid(context: string): Promise<boolean> {
  try {
    await writeFile(`${directory}/context`, `${context}\0`, { flag: 'r+' });
    return true;
  } catch (error) {
    if (isErrno(error, 'EINVAL')) return false;
    throw error;
  }
}

/** Empty for a file that the kernel does not have. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EINVAL', 'EACCES')) return '';
    throw error;
  }
}

export const kernelSELinux: SELinux = { containerContexts, isValid, relabel: relabelTree, relabelOnce };
