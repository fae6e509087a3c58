import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import type { ConnectAgent } from '../contract/build-request.js';
import { openAgentSocket } from './open-agent-socket.js';

interface FileOwner {
  readonly mode: number | undefined;
  readonly uid: number;
  readonly gid: number;
}

/** What one step is shown and no image or record may have: secrets, sockets of agents, scripts. */
export interface StepFileSet {
  /** Resolves to the path of a new file. */
  write(content: string | Buffer, owner: FileOwner): Promise<string>;
  /** Resolves to the path of a new socket. */
  listen(connect: ConnectAgent, owner: FileOwner): Promise<string>;
}

/** Files of steps, in a directory that does not survive a reboot. */
@injectable()
export class StepFiles {
  readonly #directory: string;

  constructor(@inject(PackageDirectories) directories: PackageDirectories) {
    this.#directory = join(directories.state, 'secrets');
  }

  /** Removes what a crash left. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Runs work with files that are removed when it settles. */
  async use<T>(work: (files: StepFileSet) => Promise<T>): Promise<T> {
    // Short, because the path of a socket has at most 107 bytes.
    const directory = join(this.#directory, randomBytes(8).toString('hex'));
    const closes: (() => Promise<void>)[] = [];
    let count = 0;
    const next = async (): Promise<string> => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return join(directory, String(count++));
    };
    const files: StepFileSet = {
      write: async (content, { mode = 0o400, uid, gid }) => {
        const file = await next();
        await writeFile(file, content, { mode: 0o400 });
        await chown(file, uid, gid);
        await chmod(file, mode);
        return file;
      },
      listen: async (connect, owner) => {
        const path = await next();
        closes.push(await openAgentSocket(path, connect, owner));
        return path;
      },
    };
    try {
      return await work(files);
    } finally {
      await Promise.all(closes.map((close) => close()));
      await rm(directory, { recursive: true, force: true });
    }
  }
}
