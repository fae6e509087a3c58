import { readdir, readFile } from 'node:fs/promises';
import { release as readRelease } from 'node:os';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { KernelFacts } from './host-facts.js';
import { readText } from './read-text.js';

const unzip = promisify(gunzip);

export async function readKernel(release = readRelease()): Promise<KernelFacts> {
  const [options, installedModules, modules, filesystems, namespaces, limit, actions] = await Promise.all([
    readOptions(release),
    readInstalledModules(release),
    readText('/proc/modules'),
    readText('/proc/filesystems'),
    readdir('/proc/self/ns').catch(() => []),
    readText('/proc/sys/user/max_user_namespaces'),
    readText('/proc/sys/kernel/seccomp/actions_avail'),
  ]);
  return {
    release,
    options,
    installedModules,
    loadedModules: new Set((modules ?? '').split('\n').map((line) => line.split(' ', 1)[0] ?? '')),
    filesystems: new Set((filesystems ?? '').split('\n').map((line) => line.split('\t').at(-1) ?? '')),
    namespaces: new Set(namespaces),
    maxUserNamespaces: limit === undefined ? undefined : Number(limit),
    seccompActions: (actions ?? '').split(' ').filter((action) => action !== ''),
  };
}

/** How the kernel was built: it says so itself, or its package has left a file. */
async function readOptions(release: string): Promise<ReadonlyMap<string, string> | undefined> {
  const own = await readFile('/proc/config.gz')
    .then(unzip)
    .catch(() => undefined);
  const files = [`/boot/config-${release}`, `/lib/modules/${release}/config`];
  let text = own?.toString();
  for (const file of files) text ??= await readText(file);
  return text === undefined ? undefined : parseOptions(text);
}

/** Reads lines such as `CONFIG_VXLAN=m`. */
export const parseOptions = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^CONFIG_(\w+)=([ym])$/gm)].map(([, name = '', value = '']) => [name, value]));

async function readInstalledModules(release: string): Promise<ReadonlySet<string> | undefined> {
  const texts = await Promise.all(
    ['modules.dep', 'modules.builtin'].map((file) => readText(`/lib/modules/${release}/${file}`)),
  );
  return texts[0] === undefined ? undefined : parseModules(texts.join('\n'));
}

/** Reads paths such as `kernel/fs/overlayfs/overlay.ko.xz: …`, one a line. Names have underscores, as when loaded. */
export const parseModules = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^(?:\S*\/)?([\w-]+)\.ko/gm)].map(([, name = '']) => name.replaceAll('-', '_')));
