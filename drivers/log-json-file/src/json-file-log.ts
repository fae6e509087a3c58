import { rm } from 'node:fs/promises';
import type { LogContainer, LogDriver, LogPage, LogQuery, LogSink } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { attributesOf } from '@gantry/lib-log/options';
import type { JsonFileConfig } from './config.js';
import { logPath, resumePath, rotatedFiles } from './files.js';
import { attributesJson } from './options/attributes-json.js';
import { rotationOf } from './options/rotation.js';
import { validateOptions } from './options/validate-options.js';
import { readLog } from './read/read-log.js';
import { JsonFileSink } from './write/json-file-sink.js';

/** Logs as files of JSON lines, in each container's own directory. */
@injectable()
export class JsonFileLog implements LogDriver {
  readonly capabilities = { read: true, worker: true, discards: false };

  constructor(@inject(Config) private readonly config: JsonFileConfig) {}

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options, this.config);
  }

  open(container: LogContainer): Promise<LogSink> {
    return JsonFileSink.open(logPath(container), rotationOf(container.options, this.config), attributes(container));
  }

  read(container: LogContainer, query: LogQuery): AsyncIterable<LogPage> {
    return readLog(logPath(container), query, attributes(container));
  }

  path(container: LogContainer): string {
    return logPath(container);
  }

  async remove(container: LogContainer): Promise<void> {
    const path = logPath(container);
    const rotated = await rotatedFiles(path).catch(() => []);
    const names = [
      path,
      resumePath(path),
      ...rotated.map((file) => file.path),
      ...rotated.map((file) => `${file.path}.gz.tmp`),
    ];
    await Promise.all(names.map((name) => rm(name, { force: true })));
  }
}

function attributes(container: LogContainer): string | undefined {
  const found = attributesOf(container);
  return found === undefined ? undefined : attributesJson(found);
}
