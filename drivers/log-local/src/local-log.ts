import { join } from 'node:path';
import type { LogContainer, LogDriver, LogPage, LogQuery, LogSink } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { FileSink, readLog, removeLog, rotationOf, rotationOptions } from '@gantry/lib-log/files';
import { checkOptions, type LogOptions } from '@gantry/lib-log/options';
import type { LocalConfig } from './config.js';
import { LocalForm } from './read/local-form.js';
import { LocalLineEncoder } from './write/local-line-encoder.js';

/** Others, such as `tag` and `labels`, would have no effect. */
const known = new Set([...rotationOptions, 'mode', 'max-buffer-size']);

/** Logs as compact files of plain lines, in each container's own directory. */
@injectable()
export class LocalLog implements LogDriver {
  readonly capabilities = { read: true, worker: true, discards: false };

  constructor(@inject(Config) private readonly config: LocalConfig) {}

  validate(options: LogOptions): void {
    const unknown = Object.keys(options).find((name) => !known.has(name));
    if (unknown !== undefined) throw invalidArgument(`unknown log opt '${unknown}' for log driver local`);
    checkOptions(options, 'local', rotationOptions);
    rotationOf(options, this.config);
  }

  open(container: LogContainer): Promise<LogSink> {
    return FileSink.open(this.path(container), rotationOf(container.options, this.config), new LocalLineEncoder());
  }

  read(container: LogContainer, query: LogQuery): AsyncIterable<LogPage> {
    return readLog(this.path(container), query, new LocalForm());
  }

  path({ directory, id }: LogContainer): string {
    return join(directory, `${id}-local.log`);
  }

  remove(container: LogContainer): Promise<void> {
    return removeLog(this.path(container));
  }
}
