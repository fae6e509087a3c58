import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { DriverDefinition } from '@gantry/core/driver';
import type { OpenOptions } from '../open-driver.js';
import type { SuiteOptions } from '../suite.js';
import { loadDrivers } from './load-drivers.js';

export const usage = `Usage: gantry-conformance <package> [options]

Checks the drivers of a built package against their contracts.

  --config FILE   JSON of the driver's configuration
  --driver KIND   only the driver of this kind, such as "volume"
  --only TEXT     only checks whose title has this text in it
  --with PACKAGE  another built package, whose drivers the checked ones require; may be repeated
  --start-timeout SECONDS
                  how long the driver may take to start (60)
  --check-timeout SECONDS
                  how long a check may take (60)
  --setup FILE    ES module that exports "suite" (options of the suite) and "open" (services, onReboot ...),
                  each an object or an async function that makes one`;

/** What a `--setup` module may export. */
interface Setup {
  readonly suite?: SuiteOptions | (() => SuiteOptions | Promise<SuiteOptions>);
  readonly open?: OpenOptions | (() => OpenOptions | Promise<OpenOptions>);
}

export interface Command {
  readonly directory: string;
  readonly kind: string | undefined;
  readonly only: string | undefined;
  readonly suiteOptions: SuiteOptions;
  /** Asked for each driver that is opened. */
  openOptions(): Promise<OpenOptions>;
}

/** Undefined: it asks for help. @throws Error saying what is wrong. */
export async function parseCommand(args: readonly string[]): Promise<Command | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      driver: { type: 'string' },
      only: { type: 'string' },
      setup: { type: 'string' },
      'start-timeout': { type: 'string' },
      'check-timeout': { type: 'string' },
      with: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [directory, ...rest] = positionals;
  if (values.help === true) return undefined;
  if (directory === undefined || rest.length > 0) throw new Error('one package is wanted');
  const startTimeout = secondsOf('start-timeout', values['start-timeout']);
  const checkTimeoutSeconds = secondsOf('check-timeout', values['check-timeout']) ?? 60;
  const config = values.config === undefined ? undefined : JSON.parse(await readFile(values.config, 'utf8'));
  const required = await Promise.all((values.with ?? []).map(loadDrivers));
  const requires = required.flat().map(({ definition }) => definition as DriverDefinition<object>);
  const setup: Setup = values.setup === undefined ? {} : await import(pathToFileURL(resolve(values.setup)).href);
  return {
    directory,
    kind: values.driver,
    only: values.only,
    suiteOptions: { checkTimeoutSeconds, ...(await made(setup.suite)) },
    openOptions: async () => ({
      requires,
      ...(await made(setup.open)),
      ...(config !== undefined && { config }),
      ...(startTimeout !== undefined && { startTimeout }),
    }),
  };
}

function secondsOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new Error(`--${option}: "${text}" is not a number of seconds`);
  return seconds;
}

async function made<T extends object>(value: T | (() => T | Promise<T>) | undefined): Promise<T | undefined> {
  return typeof value === 'function' ? value() : value;
}
