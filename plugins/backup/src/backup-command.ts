import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { version } from '@gantry/core';
import { ArchiveDrivers } from '@gantry/core/contracts';
import { type OfflineContext, writeFileAtomically } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { Mounts } from '@gantry/lib-linux/mounts';
import { collectBackup } from './contents/collect-backup.js';
import { daemonState } from './contents/daemon-state.js';
import { offlineState } from './contents/offline-state.js';
import { fileArguments } from './file-arguments.js';
import { BackupWriter } from './format/backup-writer.js';
import { type End, formatName, formatVersion } from './format/records.js';
import { formatSummary } from './format-summary.js';
import { standardOutput } from './standard-output.js';

const usage = [
  'usage: gantryd backup FILE|- [--without-images] [--config FILE]',
  '',
  '  Writes what the engine keeps into a file, or to the standard output: volumes, containers with their own files, networks,',
  '  images, logs and settings. The engine may run meanwhile, and need not. "gantryd restore" makes an engine of it again.',
  '',
  '  --without-images   leaves out images and the files that containers changed outside of volumes: after a restore, images',
  '                     have to be pulled again, and containers to be made anew',
];

/** `gantryd backup`. @throws EngineError; then no file was made. */
export async function* backupCommand(args: readonly string[], context: OfflineContext): AsyncGenerator<string, void> {
  const { file, options } = fileArguments('backup', args, { 'without-images': { type: 'boolean' } });
  if (file === undefined) return yield* usage;
  const images = options['without-images'] !== true;
  const write = (sink: ConstructorParameters<typeof BackupWriter>[0]) =>
    writeBackup(new BackupWriter(sink), context, images);
  if (file === '-') {
    const { end } = await write(standardOutput());
    for (const line of leftOutLines(end)) process.stderr.write(`${line}\n`);
    return;
  }
  const { end, size } = await writeFileAtomically(file, write);
  yield* leftOutLines(end);
  yield `${file}: ${formatSummary(end.entries, size)}`;
}

/** What the writer wrote at last. */
type Written = { readonly end: Pick<End, 'entries' | 'leftOut'>; readonly size: number };

async function writeBackup(writer: BackupWriter, context: OfflineContext, images: boolean): Promise<Written> {
  const { dataRoot, settings, isDaemonRunning, ask, port, driver } = context;
  const state = isDaemonRunning ? await daemonState(ask) : await offlineState(dataRoot);
  const archive = await driver(ArchiveDrivers);
  await writer.header({
    format: formatName,
    version: formatVersion,
    createdAt: new Date().toISOString(),
    engine: version,
    mapping: mappingOf(context),
    images,
  });
  const isIncluded = (path: string): boolean => !isLeftOut(path) && (images || !path.startsWith('drivers/storage-'));
  const collected = await collectBackup(writer, { dataRoot, archive, mounts: port(Mounts), state, isIncluded });
  const leftOut = [
    ...state.elsewhere,
    ...collected.mountPoints.map((mount) => `what is mounted on ${relative(dataRoot, mount)}`),
    ...(images ? [] : ['images and the files that containers changed outside of volumes']),
    ...((await isInSwarm(dataRoot)) ? ['the membership in a swarm, with its records'] : []),
    ...(await othersIn(String(settings.engine.dataRoot), dataRoot)),
  ];
  const end = { entries: collected.entries, leftOut };
  await writer.end(end);
  return { end, size: writer.size };
}

/** Files of this moment, and those of a swarm: two hosts cannot be the same node of it. */
const isLeftOut = (path: string): boolean =>
  path.startsWith('drivers/cluster-store-') ||
  ['plugins/backup', 'plugins/cluster', 'plugins/cluster-networks', 'plugins/node-agent'].includes(path);

const isInSwarm = async (dataRoot: string): Promise<boolean> =>
  (await namesIn(join(dataRoot, 'plugins/cluster'))).length > 0;

/** What is in the data root and no package's, such as the data of engines with other user mappings. */
async function othersIn(configured: string, dataRoot: string): Promise<readonly string[]> {
  if (configured !== dataRoot) return [];
  const own = ['drivers', 'plugins', 'lost+found'];
  return (await namesIn(dataRoot)).filter((name) => !own.includes(name)).map((name) => join(dataRoot, name));
}

const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch((): string[] => []);

/** The part of the data root that is the user mapping's own; empty without one. */
export function mappingOf({ settings, dataRoot }: Pick<OfflineContext, 'settings' | 'dataRoot'>): string {
  const mapping = relative(String(settings.engine.dataRoot), dataRoot);
  if (mapping.startsWith('..')) throw invalidArgument(`${dataRoot} is not below the configured data root`);
  return mapping;
}

const leftOutLines = ({ leftOut }: Pick<End, 'leftOut'>): readonly string[] =>
  leftOut.map((each) => `not included: ${each}`);
