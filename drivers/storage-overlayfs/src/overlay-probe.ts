import { access, lstat, mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { Mounts } from '@gantry/lib-linux/mounts';

/** What overlayfs supports on this host. */
export interface OverlaySupport {
  /** The file system below, as `info` names it. */
  readonly backingFilesystem: string;
  /** Options of each mount. */
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Features that make an upper directory refer to more than itself, so that its changes could no longer be read from it.
 * They are switched off where the kernel knows them, whatever the host's default is.
 */
const features = ['index', 'redirect_dir', 'metacopy'];

/**
 * In a user namespace marks are attributes of users, as trusted ones are for root of the host. The other features are
 * switched off by this one; since Linux 5.11.
 */
const userMarks = { userxattr: '' };

/** Mounts one overlay and deletes a file in it, which takes about 3 ms. */
@injectable()
export class OverlayProbe {
  constructor(
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
  ) {}

  /** @throws DriverSkipped saying why overlayfs cannot be used. */
  async probe(): Promise<OverlaySupport> {
    const { root } = this.directories;
    const { type } = await this.mounts.statfs(root);
    // Under the directory that each start empties, in case the process dies meanwhile.
    const tmp = join(root, 'tmp');
    await mkdir(tmp, { recursive: true, mode: 0o700 });
    const directory = await mkdtemp(join(tmp, 'probe-'));
    try {
      return { backingFilesystem: backingName(type), options: await this.#tryMount(directory) };
    } catch (error) {
      if (DriverSkipped.is(error)) throw error;
      const cause = unsuitable[type] ?? 'the kernel refused an overlay mount';
      const remedy = isInUserNamespace()
        ? rootlessRemedy
        : 'move the data root to ext4 or XFS, or choose the vfs driver';
      throw new DriverSkipped(
        `overlayfs cannot be used on ${root} (${type}): ${cause}: ${messageOf(error)}; ${remedy}`,
        { cause: error },
      );
    } finally {
      await this.mounts.unmount(join(directory, 'merged'), { detach: 'always' });
      await rm(directory, { recursive: true, force: true });
    }
  }

  async #tryMount(directory: string): Promise<Readonly<Record<string, string>>> {
    const at = (name: string): string => join(directory, name);
    await Promise.all(['lower', 'upper', 'work', 'merged'].map((name) => mkdir(at(name))));
    await writeFile(at('lower/file'), '');
    const ownMarks = isInUserNamespace() ? userMarks : {};
    const request = { lower: [at('lower')], upper: at('upper'), work: at('work'), target: at('merged') };
    await this.mounts.overlay({ ...request, options: ownMarks });
    // The mount has loaded the kernel's module, whose parameters list the known features.
    const options = isInUserNamespace() ? ownMarks : await knownFeatures();
    await checkDeletion(at('upper'), at('merged'));
    return options;
  }
}

/** Why file systems of a type, as `statfs` names it, cannot hold an overlay. */
const unsuitable: Readonly<Record<string, string>> = {
  overlayfs: 'an overlay cannot be stacked on another overlay, such as the root of a container',
  nfs: 'network file systems do not support the attributes that overlayfs needs',
  cifs: 'network file systems do not support the attributes that overlayfs needs',
  smb2: 'network file systems do not support the attributes that overlayfs needs',
  fuse: 'the FUSE file system does not support what overlayfs needs',
  ecryptfs: 'encrypted directories do not support what overlayfs needs',
  vfat: 'FAT has no owners, links and attributes',
};

const rootlessRemedy =
  'an ordinary user needs Linux 5.11 or later, and the data root on ext4 or XFS; otherwise choose the vfs driver';

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
      'overlayfs does not hide deleted files here: the file system below stores no file types in directories (d_type; XFS needs ftype=1)',
    );
  }
}

/** Clients know the ext family by the name of its oldest member's driver. */
const backingName = (type: string): string => ({ ext2: 'extfs', ext3: 'extfs', ext4: 'extfs' })[type] ?? type;
