import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.js';
import { DebianSuite } from './debian-suite.js';

/** A stock kernel with its modules, unpacked. */
export interface KernelImage {
  /** `6.1.0-18-amd64` */
  readonly release: string;
  readonly file: string;
  /** `lib/modules` of the package, with the lists that modprobe reads. */
  readonly modules: string;
  /** Holds `lib/modules`, for `modprobe --dirname`. */
  readonly root: string;
}

/** Kernels are kept here, one directory for each release of Debian. Deleting it fetches them again. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gantry', 'kernels');

/** The kernel of a release of Debian: from the cache, or else fetched. */
export async function kernelImage(suite: string): Promise<KernelImage> {
  const directory = join(cache, suite);
  return (await kernelIn(directory)) ?? fetchKernel(suite, directory);
}

async function kernelIn(directory: string): Promise<KernelImage | undefined> {
  const root = join(directory, 'tree');
  const files = await readdir(join(root, 'boot')).catch(() => []);
  const name = files.find((file) => file.startsWith('vmlinuz-'));
  if (name === undefined) return undefined;
  return {
    release: name.slice('vmlinuz-'.length),
    file: join(root, 'boot', name),
    modules: join(root, 'lib/modules'),
    root,
  };
}

/** Complete once it has its name, so that an interrupted fetch is not used. */
async function fetchKernel(suite: string, directory: string): Promise<KernelImage> {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, `${suite}-draft-`));
  try {
    const packages = await DebianSuite.open(suite, join(draft, 'apt'));
    const tree = join(draft, 'tree');
    await packages.unpack(await packages.dependencyOf('linux-image-amd64'), tree);
    await useMergedUsr(tree);
    const kernel = await kernelIn(draft);
    if (kernel === undefined) throw new Error(`the kernel package of ${suite} has no boot/vmlinuz-*`);
    await runProgram('depmod', ['--basedir', tree, kernel.release]);
    await rm(join(draft, 'apt'), { recursive: true });
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const kernel = await kernelIn(directory);
  if (kernel === undefined) throw new Error(`${directory} holds no kernel`);
  return kernel;
}

/** Newer packages have their modules in usr/lib. */
async function useMergedUsr(tree: string): Promise<void> {
  const merged = join(tree, 'usr/lib/modules');
  const found = await readdir(merged).catch(() => undefined);
  if (found === undefined) return;
  await mkdir(join(tree, 'lib'), { recursive: true });
  await rename(merged, join(tree, 'lib/modules'));
}
