import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import type { IdMappings, OciIdMapping, UserNamespaceRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { Launcher, type StreamedProcess } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Namespaces } from '@gantry/lib-linux/namespaces';

/** Where namespaces are bound to. */
interface Places {
  readonly network: string;
  readonly user: string;
}

/**
 * Creates network namespaces that belong to user namespaces. A process of several threads cannot enter a user namespace,
 * so a program does; it has nothing to do there and exits once its namespaces are bound to files.
 */
@injectable()
export class OwnedNetwork {
  constructor(
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
  ) {}

  /** Rejects `EEXIST` when the network's file exists; on rejection nothing is left that was not there before. */
  async create({ network, user }: Places, request: UserNamespaceRequest): Promise<void> {
    await (await open(network, 'wx', 0o444)).close();
    try {
      // The user namespace of a sandbox whose removal was interrupted.
      this.namespaces.removeNetwork(user);
      await writeFile(user, '', { flag: 'wx', mode: 0o444 });
      await this.#holding(request, async (pid) => {
        if ('mappings' in request) await writeMappings(pid, request.mappings);
        await this.mounts.bind({ source: `/proc/${pid}/ns/user`, target: user });
        await this.mounts.bind({ source: `/proc/${pid}/ns/net`, target: network });
      });
    } catch (error) {
      this.namespaces.removeNetwork(network);
      this.namespaces.removeNetwork(user);
      throw error;
    }
  }

  /** Runs an action while a process is in the new namespaces. */
  async #holding(request: UserNamespaceRequest, action: (pid: number) => Promise<void>): Promise<void> {
    const [file, ...args] =
      'path' in request
        ? ['nsenter', `--user=${request.path}`, 'unshare', '--net', 'cat']
        : ['unshare', '--user', '--net', 'cat'];
    const holder = await this.launcher.stream(file, args);
    try {
      await entered(holder);
      await action(holder.process.pid);
    } finally {
      holder.stdin.end();
      holder.stdout.resume();
      await holder.process.exited;
    }
  }
}

/** The program replaces those that enter the namespaces, and repeats what it reads. */
async function entered({ stdin, stdout, stderr }: StreamedProcess): Promise<void> {
  stdin.write('\n');
  const reading = new AbortController();
  const { signal } = reading;
  const isReady = await Promise.race([
    once(stdout, 'readable', { signal }).then(() => stdout.read() !== null),
    once(stdout, 'end', { signal }).then(() => false),
  ]);
  reading.abort();
  if (!isReady) throw internal(`cannot create a user namespace: ${(await stderr).toString().trim()}`);
}

async function writeMappings(pid: number, { uids, gids }: IdMappings): Promise<void> {
  await writeFile(`/proc/${pid}/uid_map`, linesOf(uids));
  await writeFile(`/proc/${pid}/gid_map`, linesOf(gids));
}

const linesOf = (mappings: readonly OciIdMapping[]): string =>
  mappings.map(({ containerID, hostID, size }) => `${containerID} ${hostID} ${size}\n`).join('');
