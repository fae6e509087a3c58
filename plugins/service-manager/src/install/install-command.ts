import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OfflineContext } from '@gantry/core/driver';
import { conflict, invalidArgument, messageOf, notImplemented } from '@gantry/core/errors';
import type { Host } from './host.js';
import type { Step } from './step.js';
import { systemRemoval, systemSteps } from './system-installation.js';
import { UnitControl } from './unit-control.js';
import type { ProgramPaths } from './unit-files.js';
import { userRemoval, userSteps } from './user-installation.js';

const installUsage = [
  'usage: gantryd install [--dry-run] [--no-start] [--group NAME] [--config FILE]',
  '',
  '  Makes the engine a service of systemd, with this configuration: its unit, its socket and a group that may use it; for',
  '  an ordinary user, a unit of the user’s systemd. What is as it should be is left alone, so it can be run again.',
  '',
  '  --dry-run      only print what would be done',
  '  --no-start     do not start it',
  '  --group NAME   whose members may use the socket: "gantry" by default, made when there is none',
];

const uninstallUsage = [
  'usage: gantryd uninstall [--dry-run]',
  '',
  '  Stops the service, and removes what "gantryd install" has written. Images, volumes and containers stay, also those that',
  '  run.',
  '',
  '  --dry-run   only print what would be done',
];

/** Who installs: root for the host, or an ordinary user, with the directory of the user's configuration. */
export type Installer = { readonly scope: 'system' } | { readonly scope: 'user'; readonly configDirectory: string };

export interface Installation {
  readonly host: Host;
  readonly installer: Installer;
  readonly program: Pick<ProgramPaths, 'node' | 'script'>;
}

/** `gantryd install`. @throws EngineError naming what is wrong, before anything has changed. */
export async function* installCommand(
  args: readonly string[],
  { host, installer, program }: Installation,
  { settings, configFile, isDaemonRunning }: OfflineContext,
): AsyncGenerator<string> {
  const options = parse('install', args, {
    'dry-run': { type: 'boolean' },
    'no-start': { type: 'boolean' },
    group: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (options.help) return yield* installUsage;
  const group = String(options.group ?? 'gantry');
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(group)) throw invalidArgument(`gantryd install: --group "${group}" is no name`);
  await checkInit(host);
  const start = options['no-start'] !== true;
  const units = new UnitControl(host, installer.scope);
  if (isDaemonRunning && start && !(await units.isActive('gantry.service'))) {
    throw conflict('a daemon that systemd has not started runs with this configuration: stop it, or pass --no-start');
  }
  const paths = { ...program, configFile: configFile === undefined ? undefined : resolve(configFile) };
  const steps =
    installer.scope === 'user'
      ? userSteps(host, { paths, configDirectory: installer.configDirectory, start })
      : await systemSteps(host, { paths, socket: await socketOf(settings.packages, paths.configFile), group, start });
  yield* carryOut(steps, options['dry-run'] === true);
  if (installer.scope === 'user') {
    yield 'It ends with your last session, unless root runs "loginctl enable-linger" for you.';
  }
}

/** `gantryd uninstall`. @throws EngineError naming what is wrong, before anything has changed. */
export async function* uninstallCommand(
  args: readonly string[],
  { host, installer }: Installation,
  { settings }: OfflineContext,
): AsyncGenerator<string> {
  const options = parse('uninstall', args, { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } });
  if (options.help) return yield* uninstallUsage;
  await checkInit(host);
  const steps =
    installer.scope === 'user' ? await userRemoval(host, installer.configDirectory) : await systemRemoval(host);
  yield* carryOut(steps, options['dry-run'] === true);
  yield `Data stays in ${settings.engine.dataRoot}; containers that run go on.`;
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function parse(command: string, args: readonly string[], options: Options): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw invalidArgument(`gantryd ${command}: ${messageOf(error)}; see --help`, { cause: error });
  }
}

async function checkInit(host: Host): Promise<void> {
  if (await host.hasDirectory('/run/systemd/system')) return;
  throw notImplemented('systemd does not run on this host, and units for it are all that can be installed');
}

/** The engine's default socket; undefined when the configuration says where to listen, which is not a unit's to change. */
async function socketOf(
  packages: Readonly<Record<string, unknown>>,
  configFile: string | undefined,
): Promise<string | undefined> {
  const file = configFile === undefined ? {} : JSON.parse(await readFile(configFile, 'utf8'));
  if (file.plugins?.['engine-api']?.hosts !== undefined) return undefined;
  const { hosts: [host = ''] = [] } = packages['engine-api'] as { readonly hosts?: readonly string[] };
  return host.replace(/^unix:\/\//, '');
}

/** Says of each step whether it was needed. All are looked at before the first is carried out. */
async function* carryOut(steps: readonly Step[], isDryRun: boolean): AsyncGenerator<string> {
  const open: Step[] = [];
  for (const step of steps) {
    if (await step.isDone()) yield `as it should be: ${step.what}`;
    else open.push(step);
  }
  for (const step of open) {
    if (!isDryRun) await step.carryOut();
    yield `${isDryRun ? 'would be done' : 'done'}: ${step.what}`;
  }
}
