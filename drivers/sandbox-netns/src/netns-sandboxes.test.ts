import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver, sandboxDriverSuite } from '@gantry/conformance';
import type { SandboxDriver } from '@gantry/core/contracts';
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
