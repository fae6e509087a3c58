import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type Daemon, startDaemon } from './testing/daemon.js';
import { eventually } from './testing/eventually.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** How often each driver is replaced; more of it by hand. */
const swaps = Number(process.env.GANTRY_SWAPS ?? 5);

/** Asks the daemon for a change of its drivers, as `gantryd driver` does. */
async function change(daemon: Daemon, request: object): Promise<Record<string, unknown>> {
  const socket = createConnection(path.join(daemon.directory, 'run/control.sock'));
  socket.write(`${JSON.stringify({ command: 'driver', ...request })}\n`);
  return JSON.parse((await text(socket)).trim());
}

/** A copy of an example's package with another version. */
async function versionOf(daemon: Daemon, example: string, number: number): Promise<{ name: string; entry: string }> {
  const packages = path.join(daemon.directory, 'packages');
  const directory = path.join(packages, `${example}-${number}`);
  await mkdir(packages, { recursive: true });
  await symlink(path.join(project, 'node_modules'), path.join(packages, 'node_modules')).catch(() => undefined);
  await cp(path.join(project, 'examples', example, 'dist'), path.join(directory, 'dist'), { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(project, 'examples', example, 'package.json'), 'utf8'));
  await writeFile(path.join(directory, 'package.json'), JSON.stringify({ ...manifest, version: `${number}.0.0` }));
  return { name: manifest.name, entry: `./packages/${example}-${number}` };
}

test('drivers in use are replaced under load: no request fails, and no line of a log is lost', async (t) => {
  t.timeout(600_000);
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const examples = ['driver-volume-tmpfs', 'driver-log-text'] as const;
  for (const example of examples) {
    const answer = await change(daemon, { action: 'add', ...(await versionOf(daemon, example, 0)) });
    t.is(answer.error, undefined);
  }
  await client.createVolume({ Name: 'kept', Driver: 'tmpfs' });
  const HostConfig = { NetworkMode: 'none', LogConfig: { Type: 'text', Config: {} } };
  const writer = await client.createContainer({
    Image: 'busybox',
    Cmd: [
      'sh',
      '-c',
      'echo there > /kept/file; i=0; while [ ! -e /kept/stop ]; do i=$((i+1)); echo line $i; usleep 1000; done',
    ],
    HostConfig: { ...HostConfig, Binds: ['kept:/kept'] },
  });
  await writer.start();
  const failures: unknown[] = [];
  let requests = 0;
  let longest = 0;
  let isOver = false;
  const repeat = async (work: (round: number) => Promise<readonly unknown[]>) => {
    for (let round = 0; !isOver; round += 1) {
      const began = performance.now();
      try {
        const { length } = await work(round);
        requests += length;
        longest = Math.max(longest, performance.now() - began);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const load = [
    ...[1, 2, 3].map((client_) =>
      repeat(async (round) => {
        const Name = `v-${client_}-${round}`;
        const made = await client.createVolume({ Name, Driver: 'tmpfs' });
        const seen = await client.getVolume(Name).inspect();
        return [made, seen, await client.listVolumes(), await client.getVolume(Name).remove()];
      }),
    ),
    repeat(async () => {
      const Binds = ['kept:/kept:ro'];
      const made = await client.createContainer({
        Image: 'busybox',
        Cmd: ['cat', '/kept/file'],
        HostConfig: { ...HostConfig, Binds },
      });
      const started = await made.start();
      const { StatusCode } = await made.wait();
      if (StatusCode !== 0) throw new Error(`the volume is not there: ${StatusCode}`);
      return [made, started, StatusCode, await made.remove()];
    }),
  ];
  const took: number[] = [];
  for (let swap = 1; swap <= swaps; swap += 1) {
    for (const example of examples) {
      const newer = await versionOf(daemon, example, swap);
      const before = requests;
      await eventually('requests are answered between two replacements', async () => requests >= before + 8);
      const began = performance.now();
      const { error, changed } = await change(daemon, { action: 'replace', ...newer });
      took.push(performance.now() - began);
      t.is(error, undefined);
      t.is((changed as { replaced: readonly string[] }).replaced.length, 1);
    }
  }
  isOver = true;
  await Promise.all(load);
  t.deepEqual(failures, []);
  const slowest = Math.round(Math.max(...took));
  const median = Math.round(took.toSorted((one, other) => one - other)[took.length >> 1] ?? 0);
  t.log(`${took.length} replacements among ${requests} requests: ${median} ms, the slowest ${slowest} ms`);
  t.log(`the longest four requests in a row took ${Math.round(longest)} ms`);

  const refused = await change(daemon, { action: 'remove', name: '@gantry/driver-volume-tmpfs' });
  t.regex(String(refused.error), /^volume\/tmpfs is in use by volume kept of container [0-9a-f]{64}, volume kept; /);
  const place = (await client.getVolume('kept').inspect()).Mountpoint;
  await writeFile(path.join(place, 'stop'), '');
  await writer.wait();
  const { LogPath } = (await writer.inspect()) as { readonly LogPath: string };
  const lines = async () => (await readFile(LogPath, 'utf8')).trimEnd().split('\n');
  let last = 0;
  await eventually('the whole output is in the log', async () => {
    const before = last;
    last = (await lines()).length;
    return last === before;
  });
  const wrong = (await lines()).findIndex((line, index) => line !== `line ${index + 1}`);
  t.is(wrong, -1, `${last} lines: ${(await lines()).slice(wrong - 2, wrong + 3).join(', ')}`);

  await writer.remove();
  await client.getVolume('kept').remove();
  for (const name of ['volume/tmpfs', 'log/text']) {
    t.deepEqual((await change(daemon, { action: 'remove', name })).error, undefined);
  }
  const { said } = await daemon.command('driver', 'list');
  t.notRegex(said, /tmpfs|text/);
  await daemon.restart();
  t.notRegex(daemon.log(), /"level":50/);
});
