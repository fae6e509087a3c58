import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { KernelImage } from '../kernel/kernel-image.js';
import { runProgram } from '../run-program.js';

/** What the kernel needs before it can see this machine's files. */
const modules = ['virtio_pci', 'virtio_blk', '9p', '9pnet_virtio', 'overlay', 'ext4'];

/**
 * The root of the guest is that of this machine, read-only, below the programs that only guests have and a tmpfs: programs
 * and project are the same, and what the guest writes is gone afterwards.
 */
const init = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc; $b mount -t sysfs sysfs /sys; $b mount -t devtmpfs dev /dev
for module in $($b cat /modules); do $b insmod /lib/$module || $b echo "cannot load $module"; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 host /lower || $b poweroff -f
lower=/lower
if $b grep -q gantry.programs /proc/cmdline; then
  $b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 programs /programs || $b poweroff -f
  lower=/programs:/lower
fi
$b mount -t tmpfs -o size=75% upper /upper; $b mkdir -p /upper/diff /upper/work
$b mount -t overlay root -o lowerdir=$lower,upperdir=/upper/diff,workdir=/upper/work /root
for place in dev proc sys; do $b mount --move /$place /root/$place; done
script=$($b sed -n 's/.*gantry.guest=\\([^ ]*\\).*/\\1/p' /root/proc/cmdline)
exec $b switch_root /root /bin/bash "$script"
`;

/** Writes the archive that the kernel boots with. */
export async function writeInitialRamDisk(kernel: KernelImage, directory: string, file: string): Promise<void> {
  const tree = join(directory, 'initrd');
  for (const name of ['bin', 'lib', 'proc', 'sys', 'dev', 'root', 'lower', 'programs', 'upper']) {
    await mkdir(join(tree, name), { recursive: true });
  }
  await copyFile((await runProgram('which', ['busybox'])).trim(), join(tree, 'bin/busybox'));
  const names: string[] = [];
  for (const path of await moduleFiles(kernel)) names.push(await copyModule(path, join(tree, 'lib')));
  await writeFile(join(tree, 'modules'), `${names.join('\n')}\n`);
  await writeFile(join(tree, 'init'), init);
  await chmod(join(tree, 'init'), 0o755);
  await runProgram('sh', ['-c', 'cd "$0" && find . | cpio -o -H newc --quiet > "$1"', tree, file]);
}

/** Modules and those they need, each once, in the order in which they can be loaded. */
async function moduleFiles({ root, release }: KernelImage): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const name of modules) {
    shown.push(await runProgram('modprobe', ['-d', root, '-S', release, '--show-depends', name]));
  }
  return [...new Set([...shown.join('\n').matchAll(/^insmod (\S+)/gm)].map(([, path = '']) => path))];
}

/** Newer kernels have compressed modules, which the program in the archive cannot load. */
async function copyModule(path: string, folder: string): Promise<string> {
  const name = basename(path).replace(/\.xz$/, '');
  if (path.endsWith('.xz')) await runProgram('sh', ['-c', 'xz -dc "$0" > "$1"', path, join(folder, name)]);
  else await writeFile(join(folder, name), await readFile(path));
  return name;
}
