import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { __Name__Sink } from './sink.js';

/** One file for each container, with the lines as the container wrote them. `docker logs` does not read it back. */
@injectable()
export class __Name__Logs implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  /** Options are those of `docker run --log-opt`. */
  validate(options: Readonly<Record<string, string>>): void {
    const [option] = Object.keys(options);
    if (option !== undefined) throw invalidArgument(`unknown log opt "${option}" for __id__ log driver: it has none`);
  }

  async open(container: LogContainer): Promise<LogSink> {
    return new __Name__Sink(await open(this.path(container), 'a', 0o640));
  }

  path({ directory }: LogContainer): string {
    return path.join(directory, '__id__.log');
  }

  async remove(container: LogContainer): Promise<void> {
    await rm(this.path(container), { force: true });
  }
}
