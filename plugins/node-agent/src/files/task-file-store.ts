import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CreateBody } from '@gantry/containers/service';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';
import type { TaskFile } from '@gantry/services/service';

type Mount = NonNullable<NonNullable<CreateBody['HostConfig']>['Mounts']>[number];

/** The secrets and configs of tasks as files in memory, each task's in a file system of its own. */
@injectable()
export class TaskFileStore {
  constructor(
    @inject(Mounts.token) private readonly mounts: Pick<Mounts, 'mount' | 'unmount' | 'isMountPoint'>,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
  ) {}

  /** Resolves to the mounts that show the files in the container. Files of an earlier attempt are written again. */
  async write(taskId: string, files: readonly TaskFile[]): Promise<readonly Mount[]> {
    if (files.length === 0) return [];
    const directory = this.#directoryOf(taskId);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (!(await this.mounts.isMountPoint(directory))) {
      const flags = ['nodev', 'nosuid', 'noexec'] as const;
      await this.mounts.mount({ source: 'tmpfs', target: directory, type: 'tmpfs', flags, data: 'mode=0700' });
    }
    return Promise.all(files.map((file, index) => this.#write(path.join(directory, String(index)), file)));
  }

  /** Of a task without files: resolves. */
  async remove(taskId: string): Promise<void> {
    const directory = this.#directoryOf(taskId);
    await this.mounts.unmount(directory);
    await rm(directory, { recursive: true, force: true });
  }

  async #write(source: string, file: TaskFile): Promise<Mount> {
    await rm(source, { force: true });
    await writeFile(source, file.data, { mode: 0o600, flag: 'wx' });
    await chown(source, file.uid, file.gid);
    await chmod(source, file.mode & 0o7777);
    return { Type: 'bind', Source: source, Target: targetOf(file), ReadOnly: true };
  }

  #directoryOf(taskId: string): string {
    return path.join(this.directories.state, 'task-files', taskId);
  }
}

const targetOf = ({ kind, target }: TaskFile): string =>
  path.posix.resolve(kind === 'secret' ? '/run/secrets' : '/', target);
