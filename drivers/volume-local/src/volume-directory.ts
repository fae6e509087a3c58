import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hostRoot, IdMappings } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { parseVolumeOptions, type VolumeOptions } from './volume-options.js';

/** Prefixes of volumes that are being made or removed. No volume has such a name. */
const made = '.new-';
const removed = '.removed-';

/** The directory of the volumes. A volume exists when its own directory does, which appears complete. */
@injectable()
export class VolumeDirectory {
  readonly path: string;

  constructor(
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {
    this.path = join(root, 'volumes');
  }

  /** Makes the directory, and deletes what a crash left incomplete. @returns the failures. */
  async prepare(): Promise<readonly string[]> {
    await mkdir(this.path, { recursive: true });
    await chmod(this.path, 0o701);
    const left = (await readdir(this.path)).filter((name) => name.startsWith(made) || name.startsWith(removed));
    const failures = await Promise.all(left.map((name) => this.#delete(name).then(() => [], messageOf)));
    return failures.flat();
  }

  /** Where a volume's content is. */
  contentOf(name: string): string {
    return join(this.path, name, '_data');
  }

  /** Does not touch the content, which may be on a server that does not answer. */
  async has(name: string): Promise<boolean> {
    return (await stat(join(this.path, name)).catch(() => undefined))?.isDirectory() ?? false;
  }

  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [])).sort();
  }

  /** Undefined for a volume without options. Rejects `unavailable` when the file is damaged. */
  async optionsOf(name: string): Promise<VolumeOptions | undefined> {
    const file = join(this.path, name, 'options.json');
    try {
      return parseVolumeOptions(JSON.parse(await readFile(file, 'utf8')));
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw unavailable(`the options of volume ${name} cannot be read from ${file}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Makes an absent volume; it survives a power failure when this resolves. */
  async make(name: string, options: VolumeOptions | undefined): Promise<void> {
    const unfinished = join(this.path, `${made}${randomBytes(8).toString('hex')}`);
    try {
      // One by one: Node says ENOENT when it cannot make several, whatever the reason was.
      await mkdir(unfinished);
      await mkdir(join(unfinished, '_data'));
      await chmod(unfinished, 0o701);
      await chmod(join(unfinished, '_data'), 0o755);
      await this.#giveToContainers(join(unfinished, '_data'));
      if (options !== undefined) await writeDurably(join(unfinished, 'options.json'), JSON.stringify(options));
      await syncDirectory(unfinished);
      crashPoint('volume-local.make');
      await rename(unfinished, join(this.path, name));
      await syncDirectory(this.path);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw unavailable(`cannot make the volume ${name} in ${this.path}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Removes a volume atomically, then deletes its content. After a crash in between `prepare` deletes it. */
  async remove(name: string): Promise<void> {
    const gone = `${removed}${randomBytes(8).toString('hex')}`;
    await rename(join(this.path, name), join(this.path, gone));
    await syncDirectory(this.path);
    crashPoint('volume-local.remove');
    try {
      await this.#delete(gone);
    } catch (error) {
      throw unavailable(`volume ${name} is removed, but not all of its content could be deleted: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Makes the content's directory again if an operator has deleted it. */
  async prepareContent(name: string): Promise<void> {
    const made = await mkdir(this.contentOf(name), { recursive: true });
    if (made !== undefined) await this.#giveToContainers(this.contentOf(name));
  }

  async #giveToContainers(directory: string): Promise<void> {
    const { uid, gid } = hostRoot(this.idMappings);
    if (uid !== 0 || gid !== 0) await chown(directory, uid, gid);
  }

  #delete(name: string): Promise<void> {
    return rm(join(this.path, name), { recursive: true, force: true });
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
