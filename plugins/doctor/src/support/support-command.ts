import { hostname, release, type as systemType } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { version } from '@gantry/core';
import { type OfflineContext, writeFileAtomically } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { localHostOf } from '@gantry/engine-api/service';
import { archiveEnd, encodeEntry, paddingOf, plainEntry } from '@gantry/lib-archive/tar';
import { Launcher } from '@gantry/lib-linux/launcher';
import { EngineClient } from 'gantry-client';
import type { Report } from '../finding.js';
import { redact, redactText } from './redact.js';
import { type Facts, factsCommand } from './support-facts.js';

const usage = [
  'usage: gantryd support FILE [--config FILE]',
  '',
  '  Writes a bundle for a bug report, a .tar.gz: versions, the configuration, packages, findings of the doctor, /info, metrics',
  '  and the last lines of the log. Secrets are replaced, and nothing of what is in containers is included; names of containers,',
  '  images and hosts are. Read it before you send it. Works without a running engine, too.',
];

/** How many lines of the journal are read. */
const journalLines = 500;

/** `gantryd support`. @param examine looks at the host, where no daemon does. @throws EngineError; then no file was made. */
export async function* supportCommand(
  args: readonly string[],
  context: OfflineContext,
  examine: () => Promise<Report>,
): AsyncGenerator<string, void> {
  const [file, ...others] = args;
  if (file === '--help' || file === '-h') return yield* usage;
  if (file === undefined || file.startsWith('-') || others.length > 0) {
    throw invalidArgument('gantryd support: one file is wanted; see --help');
  }
  const files = new Map<string, string>();
  const failures: string[] = [];
  const collect = async (name: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      const value = await read();
      files.set(
        name,
        typeof value === 'string' ? redactText(value) : `${JSON.stringify(redact(value), undefined, 2)}\n`,
      );
    } catch (error) {
      failures.push(`${name}: ${redactText(messageOf(error))}`);
    }
  };
  await collect('versions.json', async () => versions(context));
  if (context.isDaemonRunning) await collectFromDaemon(collect, context);
  else await collectWithoutDaemon(collect, context, examine);
  if (failures.length > 0) files.set('failures.txt', failures.map((line) => `${line}\n`).join(''));
  const bundle = await promisify(gzip)(tarOf(files));
  await writeFileAtomically(file, (target) => target.write(bundle));
  for (const failure of failures) yield `not included: ${failure}`;
  yield `${file}: ${[...files.keys()].join(', ')}`;
}

type Collect = (name: string, read: () => Promise<unknown>) => Promise<void>;

async function collectFromDaemon(collect: Collect, { ask, settings }: OfflineContext): Promise<void> {
  const facts: { value?: Facts } = {};
  await collect('configuration.json', async () => {
    facts.value = JSON.parse(await allOf(ask(factsCommand, []))) as Facts;
    return facts.value.settings;
  });
  const { packages, metrics, log } = facts.value ?? {};
  await collect('packages.json', async () => packages);
  await collect('metrics.json', async () => metrics);
  await collect('log.jsonl', async () => (log as readonly string[]).map((line) => `${line}\n`).join(''));
  await collect('doctor.json', async () => JSON.parse(await allOf(ask('doctor', ['--json']))));
  const { hosts } = (settings.packages['engine-api'] ?? {}) as { readonly hosts?: readonly string[] };
  const engine = (): EngineClient => new EngineClient(localHostOf(hosts ?? []));
  const signal = AbortSignal.timeout(10_000);
  await collect('info.json', () => engine().request('GET /info', { signal }));
  await collect('version.json', () => engine().request('GET /version', { signal }));
}

async function collectWithoutDaemon(
  collect: Collect,
  { port, settings }: OfflineContext,
  examine: () => Promise<Report>,
): Promise<void> {
  await collect('configuration.json', async () => settings);
  await collect('doctor.json', examine);
  await collect('log.jsonl', async () => {
    const args = ['--unit', 'gantry.service', '--lines', String(journalLines), '--output', 'cat', '--no-pager'];
    const { code, stdout, stderr } = await port(Launcher).run('journalctl', args);
    if (code !== 0) throw new Error(`journalctl exited with ${code}: ${stderr.toString().trim()}`);
    return stdout.toString();
  });
}

function versions({ isDaemonRunning, configFile, dataRoot }: OfflineContext): object {
  return {
    gantry: version,
    node: process.version,
    system: `${systemType()} ${release()} ${process.arch}`,
    host: hostname(),
    daemon: isDaemonRunning,
    configuration: configFile ?? 'none: the defaults',
    dataRoot,
    time: new Date().toISOString(),
  };
}

/** The text of a command's lines. */
async function allOf(lines: AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all.join('\n');
}

function tarOf(files: ReadonlyMap<string, string>): Buffer {
  const modified = { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 };
  const members = [...files].flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = encodeEntry({ ...plainEntry, name: `gantry-support/${name}`, size: content.length, modified });
    return [header, content, Buffer.alloc(paddingOf(content.length))];
  });
  return Buffer.concat([...members, archiveEnd]);
}
