import { join } from 'node:path';
import type { LogContainer, LogDriver, LogPage, LogQuery, LogSink } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { FileSink, readLog, removeLog, rotationOf } from '@gantry/lib-log/files';
import { attributesOf } from '@gantry/lib-log/options';
import type { JsonFileConfig } from './config.js';
import { attributesJson } from './options/attributes-json.js';
import { validateOptions } from './options/validate-options.js';
import { JsonForm } from './read/json-form.js';
import { JsonLineEncoder } from './write/json-line-encoder.js';

/** Logs as files of JSON lines, in each container's own directory. */
@injectable()
export class JsonFileLog implements LogDriver {
  readonly capabilities = { read: true, worker: true, discards: false };

  constructor(@inject(Config) private readonly config: JsonFileConfig) {}

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options, this.config);
  }

  open(container: LogContainer): Promise<LogSink> {
    const encoder = new JsonLineEncoder(attributes(container));
    return FileSink.open(this.path(container), rotationOf(container.options, this.config), encoder);
  }

  read(container: LogContainer, query: LogQuery): AsyncIterable<LogPage> {
    return readLog(this.path(container), query, new JsonForm(attributes(container)));
  }

  path({ directory, id }: LogContainer): string {
    return join(directory, `${id}-json.log`);
  }

  remove(container: LogContainer): Promise<void> {
    return removeLog(this.path(container));
  }
}

function attributes(container: LogContainer): string | undefined {
  const found = attributesOf(container);
  return found === undefined ? undefined : attributesJson(found);
}
