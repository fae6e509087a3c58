import { access, lstat, mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import type { Mounts } from '@gantry/lib-linux/mounts';

/** What was found out about overlayfs on this host. */
export interface OverlayFacts {
  /** The filesystem below, as `info` names it. */
  readonly backingFilesystem: string;
  /** For each mount. */
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Features that make an upper directory refer to more than itself: what it changes could then not be read from it any
 * more. They are switched off where the kernel knows them, whatever the host's default is.
 */
const features = ['index', 'redirect_dir', 'metacopy'];

/** Mounts one overlay and deletes a file in it. About 3 ms. @throws DriverSkipped when that fails. */
export async function probeOverlay(root: string, mounts: Mounts): Promise<OverlayFacts> {
  const { type } = await mounts.statfs(root);
  // Under the place that each start empties, in case the process dies meanwhile.
  const tmp = join(root, 'tmp');
  await mkdir(tmp, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(tmp, 'probe-'));
  const [lower, upper, work, target] = ['lower', 'upper', 'work', 'merged'].map((name) => join(place, name)) as [
    string,
    string,
    string,
    string,
  ];
  try {
    await Promise.all([lower, upper, work, target].map((directory) => mkdir(directory)));
    await writeFile(join(lower, 'file'), '');
    await mounts.overlay({ lower: [lower], upper, work, target });
    // By now the kernel has loaded what it needs, and tells what it knows.
    const options = await knownFeatures();
    await checkDeletion(upper, target);
    return { backingFilesystem: backingName(type), options };
  } catch (error) {
    if (DriverSkipped.is(error)) throw error;
    throw new DriverSkipped(`overlayfs cannot be used on ${root} (${type}): ${messageOf(error)}`, { cause: error });
  } finally {
    await mounts.unmount(target, { detach: 'always' });
    await rm(place, { recursive: true, force: true });
  }
}

async function knownFeatures(): Promise<Record<string, string>> {
  const known = await Promise.all(
    features.map(async (name) => {
      try {
        await access(`/sys/module/overlay/parameters/${name}`);
        return [[name, 'off']] as const;
      } catch (error) {
        if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(known.flat());
}

async function checkDeletion(upper: string, target: string): Promise<void> {
  await unlink(join(target, 'file'));
  const mark = await lstat(join(upper, 'file'));
  const left = await readdir(target);
  if (!mark.isCharacterDevice() || left.length > 0) {
    throw new DriverSkipped(
      'overlayfs does not hide what is deleted: the filesystem below keeps no file types (d_type)',
    );
  }
}

/** Some names are older than those of the kernel, and clients know them. */
const backingName = (type: string): string => ({ ext2: 'extfs', ext3: 'extfs', ext4: 'extfs' })[type] ?? type;
