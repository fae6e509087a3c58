import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';

const embedded = 'nameserver 127.0.0.11';

/** Edits resolv.conf of running containers. */
@injectable()
export class ResolverFiles {
  constructor(
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Points a running container at the embedded resolver, once it is on a network that has one. In place: the file is
   * mounted. A container with a resolv.conf of its own keeps it. Never rejects.
   */
  async useEmbeddedResolver(containerId: string): Promise<void> {
    const file = path.join(this.directories.of(containerId), 'resolv.conf');
    try {
      const lines = (await readFile(file, 'utf8')).split('\n');
      if (lines.includes(embedded)) return;
      const others = lines.filter((line) => line !== '' && !/^\s*(nameserver|#)/.test(line));
      const options = others.some((line) => line.startsWith('options')) ? [] : ['options ndots:0'];
      await writeFile(file, `${[...others, embedded, ...options].join('\n')}\n`);
    } catch (error) {
      const facts = { event: 'container.resolver-not-updated', container: containerId, error };
      this.log.warn(facts, 'failed to update resolv.conf of a container; it is rewritten at the next start');
    }
  }
}
