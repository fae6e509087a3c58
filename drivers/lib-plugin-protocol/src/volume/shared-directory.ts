import { kernelMounts } from '@gantry/lib-linux/mounts';

/** Makes what is mounted below a directory in a container appear below it on the host, too. Twice: is once. */
export async function shareDirectory(directory: string): Promise<void> {
  if (!(await kernelMounts.isMountPoint(directory))) await kernelMounts.bind({ source: directory, target: directory });
  await kernelMounts.propagate(directory, 'shared');
}

/** Ends it, with everything that is still mounted there. Not shared: resolves. */
export async function unshareDirectory(directory: string): Promise<void> {
  await kernelMounts.unmountTree(directory);
}
