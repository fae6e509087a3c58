import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@gantry/core/errors';
import { directoryOf, type Parts } from '../parts.js';

const embedded = 'nameserver 127.0.0.11';

/**
 * Points a running container's resolv.conf at the embedded resolver, once it is on a network that has one. In place:
 * the file is mounted. A container that has mounted its own keeps it.
 */
export async function useEmbeddedResolver(parts: Parts, containerId: string): Promise<void> {
  const file = path.join(directoryOf(parts, containerId), 'resolv.conf');
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    if (lines.includes(embedded)) return;
    const others = lines.filter((line) => line !== '' && !/^\s*(nameserver|#)/.test(line));
    const options = others.some((line) => line.startsWith('options')) ? [] : ['options ndots:0'];
    await writeFile(file, `${[...others, embedded, ...options].join('\n')}\n`);
  } catch (error) {
    const facts = { event: 'container.resolver-left', container: containerId, reason: messageOf(error) };
    parts.log.warn(facts, 'names of the network are not resolved before the next start');
  }
}
