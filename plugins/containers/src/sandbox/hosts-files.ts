import { open } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Endpoint } from '@gantry/networks/service';
import { ContainerDirectories } from '../container-directories.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { linkLine, ownLines } from './network-files.js';
import { parseLink } from './parse-link.js';

/** Keeps the hosts files of running containers up to date with the networks they and their links are on. */
@injectable()
export class HostsFiles {
  constructor(
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'all'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Adds the address of a network that a running container has joined, under its own name. */
  addEndpoint(record: ContainerRecord, endpoint: Endpoint): Promise<void> {
    return this.#edit(record.id, (lines) => [...lines, ...ownLines(record, [endpoint])]);
  }

  /** Removes the address of a network that a running container has left. */
  removeEndpoint(record: ContainerRecord, endpoint: Endpoint): Promise<void> {
    const removed = new Set(ownLines(record, [endpoint]));
    return this.#edit(record.id, (lines) => lines.filter((line) => !removed.has(line)));
  }

  /** Updates the address of a container that starts in the running containers that link to it. */
  async updateLinks(record: ContainerRecord, endpoints: readonly Endpoint[]): Promise<void> {
    const ownNames = [record.name, record.id, record.id.slice(0, 12)];
    for (const { record: other } of this.store.all()) {
      if (!isAlive(other.state)) continue;
      for (const { target, alias } of (other.hostConfig.Links ?? []).map(parseLink)) {
        if (!ownNames.includes(target)) continue;
        const endpoint = endpoints.find(({ networkName }) => networkName in other.networks);
        const added = linkLine({ alias, container: record, endpoint });
        const names = new Set(added.map(namesOf));
        await this.#edit(other.id, (lines) => [...lines.filter((line) => !names.has(namesOf(line))), ...added]);
      }
    }
  }

  /**
   * Edits the file in place, since the file itself is mounted, without truncating it first: readers never find it empty.
   * Lines added by the container stay. Never rejects.
   */
  async #edit(containerId: string, edit: (lines: readonly string[]) => readonly string[]): Promise<void> {
    try {
      await using file = await open(path.join(this.directories.of(containerId), 'hosts'), 'r+');
      const lines = (await file.readFile('utf8')).replace(/\n$/, '').split('\n');
      const text = Buffer.from(`${edit(lines).join('\n')}\n`);
      await file.write(text, 0, text.length, 0);
      await file.truncate(text.length);
    } catch (error) {
      const facts = { event: 'container.hosts-not-updated', container: containerId, error };
      this.log.warn(facts, 'failed to update the hosts file of a container; it is rewritten at the next start');
    }
  }
}

const namesOf = (line: string): string => line.slice(line.indexOf('\t') + 1);
