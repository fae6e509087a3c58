import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { askOperator } from '@gantry/hosted-api/service';
import { type Daemon, eventually, rootRotated, rotateRoot, type Scope, startNodes } from '@gantry/test-nodes';
import test from 'ava';
import { changeDrivers, reloadPackages } from './testing/change-drivers.js';
import { fileResource } from './testing/file-daemon.js';
import { repeatRequests } from './testing/repeat-requests.js';
import { startLoad } from './testing/request-load.js';
import { runIn, startContainer } from './testing/run-in.js';
import { writeVersion } from './testing/write-version.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../../', import.meta.url));

/** How often each driver is replaced; more of it by hand. */
const swaps = Number(process.env.GANTRY_SWAPS ?? 5);

/** Drivers that report their calls, of which tests make versions: see `writeVersion`. */
const drivers = {
  network: { base: 'network-bridge', provides: 'network/1.2', id: 'watched' },
  ipam: { base: 'ipam-default', provides: 'ipam/1.0', id: 'watched' },
  source: { base: 'source-git', provides: 'source/1.0', id: 'git' },
  'certificate-authority': {
    base: 'certificate-authority-local',
    provides: 'certificate-authority/1.0',
    id: 'watched',
  },
} as const;

const placeOf = (directory: string, kind: keyof typeof drivers): string => path.join(directory, 'versions', kind);

const makeVersion = (
  { directory }: Pick<Daemon, 'directory'>,
  kind: keyof typeof drivers,
  version: number,
  failing?: string,
) => writeVersion(placeOf(directory, kind), { ...drivers[kind], version, ...(failing !== undefined && { failing }) });

/** The calls that versions of a driver were given, such as `1 join`, in order. */
const callsOf = async ({ directory }: Daemon, kind: keyof typeof drivers): Promise<readonly string[]> =>
  (await readFile(path.join(placeOf(directory, kind), 'calls'), 'utf8')).trimEnd().split('\n');

/** Keeps a version from beginning a call. @returns lets it. */
async function hold(
  t: Scope,
  { directory }: Daemon,
  kind: keyof typeof drivers,
  call: string,
): Promise<() => Promise<void>> {
  const file = path.join(placeOf(directory, kind), `hold-${call.replace(' ', '-')}`);
  await writeFile(file, '');
  const release = () => rm(file, { force: true });
  t.teardown(release);
  return release;
}

/** An engine on a host of its own, for swarms, that serves the second API on a socket in `place`. */
async function startEngine(scope: Scope) {
  const place = await mkdtemp(path.join(tmpdir(), 'gantry-changes-'));
  scope.teardown(() => rm(place, { recursive: true }));
  const [node] = await startNodes(scope, 1, () => ({
    place,
    prepare: async (directory) => void (await makeVersion({ directory }, 'certificate-authority', 1)),
    extraPackages: [
      '@gantry/hosted-api',
      '@gantry/source-import',
      '@gantry/source-subversion',
      './versions/certificate-authority/certificate-authority-1',
    ],
    defaults: { 'certificate-authority': 'watched' },
    plugins: {
      'hosted-api': { hosts: [`unix://${place}/hosted.sock`] },
      'source-import': { enabled: true, allowLocalFiles: true },
    },
  }));
  if (node === undefined) throw new Error('there is no node');
  return { ...node, hostedSocket: path.join(place, 'hosted.sock') };
}

const node = fileResource(startEngine);

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

test.serial('drivers in use are replaced under load: no request fails, and no line of a log is lost', async (t) => {
  t.timeout(600_000);
  const { client, daemon } = node();
  const examples = ['driver-volume-tmpfs', 'driver-log-text'] as const;
  for (const example of examples) {
    const answer = await changeDrivers(daemon, { action: 'add', ...(await versionOf(daemon, example, 0)) });
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
  const load = repeatRequests(t, [
    ...[1, 2, 3].map((number) => async (round: number) => {
      const Name = `v-${number}-${round}`;
      const made = await client.createVolume({ Name, Driver: 'tmpfs' });
      const seen = await client.getVolume(Name).inspect();
      return [made, seen, await client.listVolumes(), await client.getVolume(Name).remove()];
    }),
    async () => {
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
    },
  ]);
  const took: number[] = [];
  for (let swap = 1; swap <= swaps; swap += 1) {
    for (const example of examples) {
      const newer = await versionOf(daemon, example, swap);
      await load.more(8);
      const began = performance.now();
      const { error, changed } = await changeDrivers(daemon, { action: 'replace', ...newer });
      took.push(performance.now() - began);
      t.is(error, undefined);
      t.is((changed as { replaced: readonly string[] }).replaced.length, 1);
    }
  }
  t.deepEqual(await load.end(), []);
  const slowest = Math.round(Math.max(...took));
  const median = Math.round(took.toSorted((one, other) => one - other)[took.length >> 1] ?? 0);
  t.log(`${took.length} replacements among ${load.count} requests: ${median} ms, the slowest ${slowest} ms`);
  t.log(`the longest round took ${Math.round(load.longest)} ms`);

  const refused = await changeDrivers(daemon, { action: 'remove', name: '@gantry/driver-volume-tmpfs' });
  t.regex(String(refused.error), /^volume\/tmpfs is in use by volume kept of container [0-9a-f]{64}, volume kept; /);
  await runIn(writer, 'touch /kept/stop');
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
    t.deepEqual((await changeDrivers(daemon, { action: 'remove', name })).error, undefined);
  }
  const { said } = await daemon.command('driver', 'list');
  t.notRegex(said, /tmpfs|text/);
  await daemon.restart();
  t.notRegex(daemon.log(), /"level":50/);
});

test.serial('a network driver is replaced while containers use its networks, and all stay connected', async (t) => {
  t.timeout(300_000);
  const { address, client, daemon } = node();
  const section = `network/watched=${JSON.stringify({ table: `${daemon.name}_watched` })}`;
  t.is((await daemon.command('driver', 'add', await makeVersion(daemon, 'network', 0), '--section', section)).code, 0);
  const network = await client.createNetwork({ Name: 'lan', Driver: 'watched' });
  const server = await startContainer(client, {
    name: 'server',
    Cmd: ['sh', '-c', 'mkdir /w; echo page > /w/index.html; exec httpd -f -h /w'],
    ExposedPorts: { '80/tcp': {} },
    HostConfig: { NetworkMode: 'lan', PortBindings: { '80/tcp': [{ HostPort: '8080' }] } },
  });
  const script = 'until [ -e /stop ]; do wget -qO- http://server/ || echo lost; done';
  const neighbour = await startContainer(client, { Cmd: ['sh', '-c', script], HostConfig: { NetworkMode: 'lan' } });
  const page = () => node().run('busybox', 'wget', '-qO-', `http://${address}:8080/`);
  await eventually('the server answers', () => page().catch(() => undefined));
  const endLoad = startLoad(t, node(), 8080);
  const others = repeatRequests(t, [
    async () => {
      const HostConfig = { NetworkMode: 'lan', PublishAllPorts: true };
      const Cmd = ['wget', '-qO-', 'http://server/'];
      const one = await client.createContainer({ Image: 'busybox', Cmd, ExposedPorts: { '9/tcp': {} }, HostConfig });
      await one.start();
      const { StatusCode } = await one.wait();
      if (StatusCode !== 0) throw new Error(`the server does not answer a new container: ${StatusCode}`);
      return [one, await one.remove()];
    },
    async (round) => {
      const made = await client.createNetwork({ Name: `passing-${round}`, Driver: 'watched' });
      await made.connect({ Container: neighbour.id });
      const { Containers } = await made.inspect();
      await made.disconnect({ Container: neighbour.id });
      return [made, Containers, await made.remove()];
    },
  ]);
  const installed = await daemon.command('driver', 'replace', await makeVersion(daemon, 'network', 1));
  t.deepEqual(installed, { code: 0, said: 'gantry-network-watched 1.0.0: network/watched replaced\n' });
  for (let version = 2; version <= swaps; version += 1) {
    await others.more(8);
    const entry = await makeVersion(daemon, 'network', version);
    const { changed, error } = await changeDrivers(daemon, {
      action: 'replace',
      name: 'gantry-network-watched',
      entry,
    });
    t.is(error, undefined);
    t.like(changed, { replaced: ['network/watched'] });
  }
  await others.more(8);
  const entry = await makeVersion(daemon, 'network', 99, 'restore');
  const failed = await changeDrivers(daemon, { action: 'replace', name: 'gantry-network-watched', entry });
  t.is(failed.error, 'network/watched cannot take over: restore fails in version 99');
  await others.more(8);
  t.deepEqual(await others.end(), []);
  const { failures, requests } = await endLoad();
  t.deepEqual(failures, []);
  await runIn(neighbour, 'touch /stop');
  await neighbour.wait();
  const pages: readonly string[] =
    String(await neighbour.logs({ stdout: true, stderr: true })).match(/page|lost/g) ?? [];
  t.false(pages.includes('lost'));
  t.log(`${requests} requests to a published port and ${pages.length} between containers meanwhile`);

  const calls = await callsOf(daemon, 'network');
  for (let version = 1; version <= swaps; version += 1) {
    const own = calls.filter((call) => call.startsWith(`${version} `));
    t.true(own.includes(`${version} restore`) && own.includes(`${version} join`), `version ${version}`);
    const [stopped, started] = [calls.lastIndexOf(`${version - 1} stop`), calls.indexOf(`${version} restore`)];
    t.true(stopped >= 0 && stopped < started, 'the older one has stopped before');
  }
  const refused = await changeDrivers(daemon, { action: 'remove', name: 'network/watched' });
  t.is(
    refused.error,
    `network/watched is in use by network lan of container ${server.id}, network lan; remove what uses it first`,
  );
  t.is(await page(), 'page\n');
  await server.remove({ force: true });
  await neighbour.remove();
  await network.remove();
  t.deepEqual(await daemon.command('driver', 'remove', 'network/watched'), {
    code: 0,
    said: 'network/watched: network/watched left\n',
  });
  t.notRegex(await node().run('nft', 'list', 'tables'), /watched/);
  await t.throwsAsync(client.createNetwork({ Name: 'lan', Driver: 'watched' }), { message: /watched/ });
});

test.serial('a network driver is not replaced between the end of a call and the record of what it did', async (t) => {
  t.timeout(300_000);
  const { client, daemon } = node();
  const section = `network/watched=${JSON.stringify({ table: `${daemon.name}_again` })}`;
  const first = await makeVersion(daemon, 'network', 100);
  t.is((await daemon.command('driver', 'add', first, '--section', section)).code, 0);
  t.is((await daemon.command('driver', 'add', await makeVersion(daemon, 'ipam', 1))).code, 0);
  const created = { Name: 'held', Driver: 'watched', IPAM: { Driver: 'watched' } };
  const network = await client.createNetwork(created);
  const container = await startContainer(client, { Cmd: ['sleep', '600'] });
  await network.connect({ Container: container.id });

  const release = await hold(t, daemon, 'ipam', '1 releaseAddress');
  const disconnected = network.disconnect({ Container: container.id });
  disconnected.catch(() => undefined); // awaited below
  await eventually('the endpoint has left', async () => (await callsOf(daemon, 'ipam')).includes('1 releaseAddress'));
  const entry = await makeVersion(daemon, 'network', 101);
  const replace = () => changeDrivers(daemon, { action: 'replace', name: 'gantry-network-watched', entry });
  t.regex(
    String((await replace()).error),
    /^network\/watched: calls have not ended within \d+ s \(1 of disconnecting a container\); nothing was changed$/,
  );
  await release();
  await disconnected;
  t.like((await replace()).changed, { replaced: ['network/watched'] });
  t.notRegex((await runIn(container, 'ip link')).output, /eth1/);
  await network.connect({ Container: container.id });
  await network.disconnect({ Container: container.id });
  await network.remove();
  await container.remove({ force: true });
  t.is((await daemon.command('driver', 'remove', 'network/watched')).code, 0);
});

test.serial('a source driver is replaced while it imports: the older version finishes what it has begun', async (t) => {
  const { daemon, hostedSocket } = node();
  const source = path.join(daemon.directory, 'source');
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@x.example'];
  await run('git', ['init', '-q', '-b', 'trunk', source]);
  await run('git', ['-C', source, ...author, 'commit', '-q', '--allow-empty', '-m', 'first']);
  const operatorSocket = path.join(daemon.directory, 'run/plugins/hosted-api/operator.sock');
  const tokens = { user: 'octavia', scopes: ['repo'] };
  const { token } = (await askOperator(operatorSocket, 'POST', '/tokens', tokens)) as { token: string };
  const ask = async (method: string, name: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, Host: 'hosted' };
    const options = { socketPath: hostedSocket, method, path: `/repos/octavia/${name}/import`, agent: false, headers };
    const answer = await new Promise<{ readonly statusCode: number; readonly said: string }>((resolve, reject) => {
      request(options, (response) => {
        text(response).then((said) => resolve({ statusCode: response.statusCode ?? 0, said }), reject);
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
    return { code: answer.statusCode, ...(answer.said !== '' && (JSON.parse(answer.said) as { status: string })) };
  };
  const begin = async (name: string) => {
    await askOperator(operatorSocket, 'POST', '/import-repositories', { owner: 'octavia', name });
    return ask('PUT', name, { vcs_url: `file://${source}` });
  };
  const becomes = (name: string, status: string) =>
    eventually(`${name} is ${status}`, async () => (await ask('GET', name)).status === status);
  const package_ = (version: number) => `./versions/source/source-${version}`;

  await makeVersion(daemon, 'source', 1);
  t.like(await reloadPackages(daemon, (all) => [...all, package_(1)]), { joined: ['source/git'] });
  const release = await hold(t, daemon, 'source', '1 convert');
  t.is((await begin('slow')).code, 201);
  await becomes('slow', 'importing');
  await eventually('the conversion begins', async () => (await callsOf(daemon, 'source')).includes('1 convert'));
  await makeVersion(daemon, 'source', 2);
  const exchange = (all: readonly string[]) => [...all.filter((each) => each !== package_(1)), package_(2)];
  t.like(await reloadPackages(daemon, exchange), { replaced: ['source/git'] });
  t.is((await begin('quick')).code, 201);
  await becomes('quick', 'complete');
  t.is((await ask('GET', 'slow')).status, 'importing');

  const message = 'source/git is in use by the import into octavia/slow; remove what uses it first';
  t.is((await changeDrivers(daemon, { action: 'remove', name: 'gantry-source-git' })).error, message);
  const without = (all: readonly string[]) => all.filter((each) => each !== package_(2));
  t.like(await reloadPackages(daemon, without), { event: 'daemon.reload-failed', error: { message } });
  await release();
  await becomes('slow', 'complete');
  const calls = (await callsOf(daemon, 'source')).filter((call) => /detect|convert|stop/.test(call));
  t.deepEqual(calls.slice(0, 4), ['1 detect', '1 convert', '2 detect', '2 convert']);
  await eventually('the older version stops', async () => (await callsOf(daemon, 'source')).includes('1 stop'));
  t.like(await reloadPackages(daemon, without), { left: ['source/git'] });
  t.is((await ask('GET', 'slow')).status, 'complete');
  t.is((await ask('PUT', 'quick', { vcs_url: `file://${source}`, vcs: 'git' })).code, 422);
});

test.serial('a certificate authority is replaced while a root is rotated, and issues from then on', async (t) => {
  const { address, client, daemon } = node();
  await client.swarmInit({ ListenAddr: '0.0.0.0:2377', AdvertiseAddr: address, Spec: {} });
  const release = await hold(t, daemon, 'certificate-authority', '1 crossSign');
  const rotating = rotateRoot(node());
  rotating.catch(() => undefined); // awaited below
  const calls = () => callsOf(daemon, 'certificate-authority');
  const stops = async () => (await calls()).filter((call) => call === '1 stop').length;
  const before = await stops();
  await eventually('the rotation begins', async () => (await calls()).includes('1 crossSign'));
  const next = await makeVersion(daemon, 'certificate-authority', 2);
  const replaced = await daemon.command('driver', 'replace', next);
  t.deepEqual(replaced, {
    code: 0,
    said: 'gantry-certificate-authority-watched 2.0.0: certificate-authority/watched replaced\n',
  });
  t.is(await stops(), before);
  await release();
  await rootRotated(node(), await rotating);
  await eventually('the older version stops', async () => (await stops()) > before);
  const made = await calls();
  t.true(made.includes('1 createRoot') && made.includes('1 issue'), made.join());
  t.true(made.includes('2 createRequest') && made.includes('2 issue'), made.join());
  const refused = await changeDrivers(daemon, { action: 'remove', name: 'certificate-authority/watched' });
  t.is(
    refused.error,
    'certificate-authority/watched is in use by the certificates of the swarm that this engine is part of; remove what uses it first',
  );
  await daemon.restart();
  const { JoinTokens } = (await eventually('the swarm', () => client.swarmInspect().catch(() => undefined))) as {
    readonly JoinTokens: { readonly Worker: string };
  };
  t.regex(JoinTokens.Worker, /^SWMTKN-/);
  await client.swarmLeave({ force: true });
});
