import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import type { Container } from 'dockerode';
import { extract, pack } from 'tar-stream';

const archiveOf = (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return buffer(archive);
};

/** The content of the files in an archive, by name. */
async function filesOf(stream: NodeJS.ReadableStream): Promise<Readonly<Record<string, string>>> {
  const archive = extract();
  archive.end(await buffer(stream as Readable));
  const files: Record<string, string> = {};
  for await (const entry of archive) files[entry.header.name] = await text(entry);
  return files;
}

async function runIn({ client }: Daemon, container: Container, command: string): Promise<string> {
  const exec = await container.exec({ Cmd: ['sh', '-c', command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({ hijack: true, stdin: false });
  const out = new PassThrough();
  client.modem.demuxStream(stream, out, out);
  stream.once('end', () => out.end());
  return text(out);
}

/** A directory of the host that no container may see. */
function hostDirectory(t: ExecutionContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gantry-host-files-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(path.join(directory, 'secret'), 'of the host');
  return directory;
}

const sleeping = { Image: 'busybox', Cmd: ['sleep', '600'], StopSignal: 'SIGKILL' };

test('files are copied from and to the paths that processes see, including volumes and tmpfs', async (t) => {
  const daemon = await startDaemon(t);
  const container = await daemon.client.createContainer({
    ...sleeping,
    HostConfig: { Binds: ['data:/data'], Tmpfs: { '/fast': '' } },
  });
  await container.putArchive(await archiveOf({ 'data/early': 'before the start' }), { path: '/' });
  await container.start();
  await container.putArchive(await archiveOf({ 'data/f': 'volume', 'fast/g': 'tmpfs', h: 'root' }), { path: '/' });
  t.is(await runIn(daemon, container, 'cat /data/early /data/f /fast/g /h'), 'before the startvolumetmpfsroot');
  await runIn(daemon, container, 'echo -n inside > /fast/i');
  t.like(await filesOf(await container.getArchive({ path: '/fast' })), { 'fast/g': 'tmpfs', 'fast/i': 'inside' });
  t.like(await filesOf(await container.getArchive({ path: '/data/.' })), {
    './early': 'before the start',
    './f': 'volume',
  });
  await t.throwsAsync(container.getArchive({ path: '/proc/1/status' }), { message: /Could not find the file/ });
  const exported = await filesOf(await container.export());
  t.is(exported.h, 'root');
  t.is(exported['data/f'], undefined);
  await container.kill();
  await container.wait();
  t.like(await filesOf(await container.getArchive({ path: '/data' })), { 'data/f': 'volume' });
  const changed = (await container.changes()) as { Path: string; Kind: number }[];
  t.deepEqual(changed, [
    { Path: '/data', Kind: 1 },
    { Path: '/fast', Kind: 1 },
    { Path: '/h', Kind: 1 },
  ]);
});

test('a process that swaps directories for links during a copy cannot redirect it out of the container', async (t) => {
  const outside = hostDirectory(t);
  const daemon = await startDaemon(t);
  const swap = [
    'mkdir /x; echo -n inside > /x/secret',
    'while :; do mv /x /y; ln -s "$0" /x; mv /v /w; ln -s "$0" /v; rm /x /v; mv /y /x; mv /w /v; done',
  ].join('; ');
  const container = await daemon.client.createContainer({
    ...sleeping,
    Cmd: ['sh', '-c', swap, outside],
    HostConfig: { Binds: ['data:/v/data'] },
  });
  await container.start();
  const body = await archiveOf({ planted: 'x', 'data/planted': 'x' });
  const seen = new Set<string>();
  const settle = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { statusCode?: number }) => `${error.statusCode}`,
    );
  // On and on until a copy has met the directory, or the test would not show that one can.
  for (let round = 0; round < 40 || seen.size === 0; round++) {
    const reading = container.getArchive({ path: '/x/secret' }).then(filesOf);
    await settle(reading.then(({ secret }) => secret !== undefined && seen.add(secret)));
    await settle(container.putArchive(body, { path: '/x' }));
    await settle(container.putArchive(body, { path: '/v' }));
  }
  t.deepEqual([...seen], ['inside']);
  t.deepEqual(readdirSync(outside), ['secret']);
});

test('top and stats show the processes of a running container', async (t) => {
  const { client } = await startDaemon(t);
  const container = await client.createContainer({ ...sleeping, Cmd: ['sh', '-c', 'while :; do :; done'] });
  await container.start();
  const { Titles, Processes } = await container.top({ ps_args: '-o pid,comm' });
  t.deepEqual(Titles, ['PID', 'COMMAND']);
  t.deepEqual(
    Processes.map((fields: readonly string[]) => fields[1]),
    ['sh'],
  );
  const stats = await container.stats({ stream: false });
  const used = stats.cpu_stats.cpu_usage.total_usage - stats.precpu_stats.cpu_usage.total_usage;
  const all = stats.cpu_stats.system_cpu_usage - stats.precpu_stats.system_cpu_usage;
  t.true(used > 0 && all > 0 && used < all * 1.1, `${used} of ${all}`);
  t.is(stats.pids_stats?.current, 1);
  t.truthy(stats.networks.eth0);
});

test('health probes run inside the container', async (t) => {
  const daemon = await startDaemon(t);
  const Healthcheck = { Test: ['CMD-SHELL', 'echo asked; test ! -e /ill'], Interval: 2e8, Retries: 1 };
  const container = await daemon.client.createContainer({ ...sleeping, Healthcheck });
  await container.start();
  const until = async (status: string) => {
    for (;;) {
      const { State } = await container.inspect();
      if (State.Health?.Status === status) return State.Health;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  t.is((await until('healthy')).Log[0]?.Output, 'asked\n');
  await runIn(daemon, container, 'touch /ill');
  await until('unhealthy');
  // It is stored in the background.
  const stored = path.join(daemon.directory, 'run/plugins/container-health', `${container.id}.json`);
  await eventually('health on disk', async () => (await readFile(stored, 'utf8')).includes('"unhealthy"'));
  await daemon.crash();
  await daemon.restart();
  t.is((await container.inspect()).State.Health?.Status, 'unhealthy');
  await runIn(daemon, container, 'rm /ill');
  await until('healthy');
});
