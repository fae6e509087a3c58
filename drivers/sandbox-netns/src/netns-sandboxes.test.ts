import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver, rejects, sandboxDriverSuite } from '@gantry/conformance';
import type { Sandbox, SandboxDriver } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelSockets } from '@gantry/lib-linux/sockets';
import test from 'ava';
import driver from './index.js';

type Resolver = Awaited<ReturnType<SandboxDriver['openResolver']>>;

const run = promisify(execFile);

sandboxDriverSuite(test, () => openDriver(driver));

/** Opens a driver with one sandbox, which end with the test. */
async function withSandbox(t: import('ava').ExecutionContext) {
  const opened = await openDriver(driver);
  const sandbox = await opened.driver.create('box');
  t.teardown(async () => {
    await opened.driver.remove('box');
    await opened.release();
  });
  return { opened, sandbox };
}

/** Answers every question with one word and the protocol. */
async function answering(t: import('ava').ExecutionContext, sandboxes: SandboxDriver, word: string): Promise<Resolver> {
  const resolver = await sandboxes.openResolver('box');
  resolver.udp.on('message', (_, { port, address }) => resolver.udp.send(`${word} udp`, port, address));
  resolver.tcp.on('connection', (socket) => socket.end(`${word} tcp`));
  t.teardown(() => {
    resolver.udp.close();
    resolver.tcp.close();
  });
  return resolver;
}

async function askUdp(path: string): Promise<string> {
  const { fd } = kernelSockets.bindUdp({ address: '0.0.0.0', port: 0, namespace: path });
  const socket = createSocket('udp4');
  socket.bind({ fd });
  socket.send('?', 53, '127.0.0.11');
  const [answer, from] = (await once(socket, 'message', { signal: AbortSignal.timeout(5000) })) as [
    Buffer,
    { address: string; port: number },
  ];
  socket.close();
  return `${answer} from ${from.address}:${from.port}`;
}

const askTcp = async (path: string): Promise<string> =>
  (await run('nsenter', [`--net=${path}`, 'busybox', 'nc', '-w', '5', '127.0.0.11', '53'])).stdout;

test('questions to 127.0.0.11 port 53 reach the resolver by UDP and TCP', async (t) => {
  const { opened, sandbox } = await withSandbox(t);
  await answering(t, opened.driver, 'hello');
  t.is(await askUdp(sandbox.path), 'hello udp from 127.0.0.11:53');
  t.is(await askTcp(sandbox.path), 'hello tcp');
});

test('after a restart of the daemon questions reach the new resolver', async (t) => {
  const { opened, sandbox } = await withSandbox(t);
  const old = await opened.driver.openResolver('box');
  old.udp.close();
  old.tcp.close();
  const after = await opened.reopen({ crash: true });
  await answering(t, after.driver, 'again');
  t.is(await askUdp(sandbox.path), 'again udp from 127.0.0.11:53');
  t.is(await askTcp(sandbox.path), 'again tcp');
});

test('a program in the sandbox can bind port 53 on every address beside the resolver', async (t) => {
  const { opened, sandbox } = await withSandbox(t);
  await answering(t, opened.driver, 'still');
  const program = createSocket('udp4');
  program.bind({ fd: kernelSockets.bindUdp({ address: '0.0.0.0', port: 53, namespace: sandbox.path }).fd });
  t.teardown(() => program.close());
  t.is(await askUdp(sandbox.path), 'still udp from 127.0.0.11:53');
});

test('a sandbox has loopback, no IPv6 and no other way out', async (t) => {
  const { sandbox } = await withSandbox(t);
  const { stdout } = await run('ip', ['-n', sandbox.path, '-o', 'addr'], {}).catch(() =>
    run('nsenter', [`--net=${sandbox.path}`, 'ip', '-o', 'addr']),
  );
  t.regex(stdout, /127\.0\.0\.1\/8/);
  t.notRegex(stdout, /inet6/);
  t.is(stdout.trim().split('\n').length, 1);
});

test('the file that a crash during create left is removed at the start', async (t) => {
  const opened = await openDriver(driver);
  t.teardown(() => opened.release());
  await writeFile(join(opened.dirs.state, 'netns', 'half'), '');
  t.is(await opened.driver.get('half'), undefined);
  t.deepEqual(await opened.driver.list(), []);
  const after = await opened.reopen({ crash: true });
  await after.driver.create('half');
  t.deepEqual(await after.driver.list(), ['half']);
  await after.driver.remove('half');
});

const range = [{ containerID: 0, hostID: 100_000, size: 65_536 }];
const remapped = { userNamespace: { mappings: { uids: range, gids: range } } };

/** A command in the namespaces of a sandbox, as root there. */
const inside = async ({ path, userNamespace }: Sandbox, ...command: readonly string[]): Promise<string> =>
  (await run('nsenter', [`--user=${userNamespace}`, `--net=${path}`, ...command])).stdout;

test('a sandbox of a remapped container belongs to a user namespace whose root configures it', async (t) => {
  const opened = await openDriver(driver);
  t.teardown(() => opened.release());
  const sandbox = await opened.driver.create('box', remapped);
  t.teardown(() => opened.driver.remove('box'));
  t.is((await inside(sandbox, 'cat', '/proc/self/uid_map')).trim().replace(/\s+/g, ' '), '0 100000 65536');
  t.is((await inside(sandbox, 'cat', '/proc/self/gid_map')).trim().replace(/\s+/g, ' '), '0 100000 65536');
  await t.notThrowsAsync(inside(sandbox, 'busybox', 'ip', 'link', 'set', 'lo', 'mtu', '1400'));
  t.deepEqual(await (await opened.reopen({ crash: true })).driver.get('box'), sandbox);
});

test('a sandbox in the user namespace of another one is there after the other one is removed', async (t) => {
  const opened = await openDriver(driver);
  t.teardown(() => opened.release());
  const first = await opened.driver.create('first', remapped);
  const own = await inside(first, 'readlink', '/proc/self/ns/user');
  const second = await opened.driver.create('second', { userNamespace: { path: first.userNamespace ?? '' } });
  await opened.driver.remove('first');
  t.is(await inside(second, 'readlink', '/proc/self/ns/user'), own);
  await opened.driver.remove('second');
  t.deepEqual(await readdir(join(opened.dirs.state, 'userns')), []);
});

test('a user namespace that cannot be made leaves nothing, and the id can be used again', async (t) => {
  const opened = await openDriver(driver);
  t.teardown(() => opened.release());
  const overlapping = { uids: [...range, ...range], gids: range };
  await rejects(t, opened.driver.create('box', { userNamespace: { mappings: overlapping } }), 'internal', /box/);
  await rejects(t, opened.driver.create('box', { userNamespace: { path: '/no/such' } }), 'internal', /no\/such/);
  t.deepEqual(await opened.driver.list(), []);
  t.deepEqual(await readdir(join(opened.dirs.state, 'userns')), []);
  await opened.driver.create('box', remapped);
  await rejects(t, opened.driver.create('box', remapped), 'conflict');
  await opened.driver.remove('box');
});

test('the user namespace that a crash during a removal left is removed at the start', async (t) => {
  const opened = await openDriver(driver);
  t.teardown(() => opened.release());
  const sandbox = await opened.driver.create('box', remapped);
  kernelNamespaces.removeNetwork(sandbox.path);
  const after = await opened.reopen({ crash: true });
  t.deepEqual(await readdir(join(opened.dirs.state, 'userns')), []);
  await after.driver.create('box', remapped);
  await after.driver.remove('box');
});
