import { open } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@gantry/core/errors';
import type { Endpoint } from '@gantry/networks/service';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import { parseLink } from './links.js';
import { linkLine, ownLines } from './network-files.js';

/** A running container has one more address: its own name means that one too. */
export const addToHosts = (parts: Parts, record: ContainerRecord, endpoint: Endpoint): Promise<void> =>
  editHosts(parts, record.id, (lines) => [...lines, ...ownLines(record, [endpoint])]);

/** The address of a network it has left is its own no more. */
export function removeFromHosts(parts: Parts, record: ContainerRecord, endpoint: Endpoint): Promise<void> {
  const gone = new Set(ownLines(record, [endpoint]));
  return editHosts(parts, record.id, (lines) => lines.filter((line) => !gone.has(line)));
}

/** Running containers that are linked to one that starts find it at its new address. */
export async function tellLinked(parts: Parts, record: ContainerRecord, endpoints: readonly Endpoint[]): Promise<void> {
  const ownNames = [record.name, record.id, record.id.slice(0, 12)];
  for (const { record: other } of parts.store.all()) {
    if (!isAlive(other.state)) continue;
    for (const { target, alias } of (other.hostConfig.Links ?? []).map(parseLink)) {
      if (!ownNames.includes(target)) continue;
      const endpoint = endpoints.find(({ networkName }) => networkName in other.networks);
      const added = linkLine({ alias, container: record, endpoint });
      const names = new Set(added.map(namesOf));
      await editHosts(parts, other.id, (lines) => [...lines.filter((line) => !names.has(namesOf(line))), ...added]);
    }
  }
}

const namesOf = (line: string): string => line.slice(line.indexOf('\t') + 1);

/**
 * Changes a running container's hosts file in place, since the file itself is mounted; lines that others have added
 * stay. Nobody finds it empty meanwhile.
 */
async function editHosts(
  parts: Parts,
  containerId: string,
  edit: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  try {
    await using file = await open(path.join(directoryOf(parts, containerId), 'hosts'), 'r+');
    const lines = (await file.readFile('utf8')).replace(/\n$/, '').split('\n');
    const text = Buffer.from(`${edit(lines).join('\n')}\n`);
    await file.write(text, 0, text.length, 0);
    await file.truncate(text.length);
  } catch (error) {
    const facts = { event: 'container.hosts-left', container: containerId, reason: messageOf(error) };
    parts.log.warn(facts, 'the hosts file of a container is as it was before the next start');
  }
}
