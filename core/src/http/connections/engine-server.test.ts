import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import { EngineError } from '../../errors/engine-error.js';
import { Surface } from '../surface/surface.js';
import { ask, startHarness, Wire } from '../testing/http-harness.js';
import { inheritedEndpoints } from './endpoint.js';
import { EngineServer } from './engine-server.js';

const surface = (): Surface => {
  const made = new Surface({ name: 'test' });
  made.routes('test', (router) => {
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
  });
  return made;
};

const directory = async (t: { teardown(fn: () => Promise<void>): void }): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'gantry-server-'));
  t.teardown(() => rm(made, { recursive: true }));
  return made;
};

const stopNow = (server: EngineServer) => server.stop(AbortSignal.abort());

test('the socket has its mode and its group, and goes with the server', async (t) => {
  const path = join(await directory(t), 'deep', 'engine.sock');
  const server = await EngineServer.start(surface(), { kind: 'unix', path, mode: 0o600, group: 'root' });
  const found = await lstat(path);
  t.is(found.mode & 0o777, 0o600);
  t.is(found.gid, 0);
  t.is(server.address, path);
  t.is((await ask(path, 'GET', '/_ping')).text, 'OK');
  await stopNow(server);
  t.deepEqual(await readdir(join(path, '..')), []);
});

test('a stale socket is replaced, and a live one refused in one line', async (t) => {
  const path = join(await directory(t), 'engine.sock');
  const killed = createServer().listen(path);
  await once(killed, 'listening');
  await chmod(path, 0o777);
  const live = await t.throwsAsync(EngineServer.start(surface(), { kind: 'unix', path }));
  t.true(EngineError.is(live) && live.kind === 'conflict');
  t.is(live?.message, `${path} is served by another process`);
  // A killed daemon leaves a socket file without a listener; a second name for it survives the unlink of close.
  await link(path, `${path}.stale`);
  await new Promise((resolve) => killed.close(resolve));
  await link(`${path}.stale`, path);
  const server = await EngineServer.start(surface(), { kind: 'unix', path });
  t.is((await ask(path, 'GET', '/_ping')).text, 'OK');
  await stopNow(server);
});

test('a file that is no socket is not replaced', async (t) => {
  const path = join(await directory(t), 'engine.sock');
  await writeFile(path, 'precious');
  await t.throwsAsync(EngineServer.start(surface(), { kind: 'unix', path }), {
    message: `${path} exists and is not a socket`,
  });
});

test('a socket that another server has taken over stays', async (t) => {
  const path = join(await directory(t), 'engine.sock');
  const first = await EngineServer.start(surface(), { kind: 'unix', path });
  await rm(path);
  const second = await EngineServer.start(surface(), { kind: 'unix', path });
  await stopNow(first);
  t.is((await ask(path, 'GET', '/_ping')).text, 'OK');
  await stopNow(second);
});

test('an unknown group is refused by name', async (t) => {
  const path = join(await directory(t), 'engine.sock');
  await t.throwsAsync(EngineServer.start(surface(), { kind: 'unix', path, group: 'no-such-group' }), {
    message: 'group: there is no group "no-such-group" on this host',
  });
});

test('TCP without TLS needs to be asked for', async (t) => {
  const endpoint = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const;
  await t.throwsAsync(EngineServer.start(surface(), endpoint), { message: /without tls anyone who reaches the port/ });
  const server = await EngineServer.start(surface(), { ...endpoint, insecure: true });
  t.regex(server.address, /^127\.0\.0\.1:\d+$/);
  const answer = await fetch(`http://${server.address}/_ping`);
  t.is(await answer.text(), 'OK');
  const port = Number(server.address.split(':')[1]);
  await t.throwsAsync(EngineServer.start(surface(), { ...endpoint, port, insecure: true }), {
    message: `tcp://127.0.0.1:${port}: the address is in use`,
  });
  await stopNow(server);
});

test('a descriptor that listens already is served', async (t) => {
  const path = join(await directory(t), 'activated.sock');
  const activator = createServer().listen(path);
  await once(activator, 'listening');
  const { fd } = (activator as unknown as { _handle: { fd: number } })._handle;
  const program = `
    import { Surface } from ${JSON.stringify(new URL('../surface/surface.js', import.meta.url).href)};
    import { EngineServer } from ${JSON.stringify(new URL('./engine-server.js', import.meta.url).href)};
    const surface = new Surface({ name: 'test' });
    surface.routes('test', router => router.get('/_ping', ctx => { ctx.body = 'OK'; }));
    const server = await EngineServer.start(surface, { kind: 'fd', fd: 3 });
    console.log(server.address);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', fd],
  });
  t.teardown(() => {
    child.kill('SIGKILL');
  });
  t.is(String((await once(child.stdout as NonNullable<typeof child.stdout>, 'data'))[0]), 'fd://3\n');
  // This process closes its own descriptor, which unlinks the path: a second name keeps the socket reachable.
  await link(path, `${path}.kept`);
  await new Promise((resolve) => activator.close(resolve));
  t.is((await ask(`${path}.kept`, 'GET', '/_ping')).text, 'OK');
});

test('systemd hands sockets to the process it names', (t) => {
  t.deepEqual(inheritedEndpoints({ LISTEN_PID: '42', LISTEN_FDS: '2' }, 42), [
    { kind: 'fd', fd: 3 },
    { kind: 'fd', fd: 4 },
  ]);
  t.deepEqual(inheritedEndpoints({ LISTEN_PID: '41', LISTEN_FDS: '2' }, 42), []);
  t.deepEqual(inheritedEndpoints({}, 42), []);
});

test('bytes that are no request are answered 400 in the words of the surface', async (t) => {
  const harness = await startHarness(t, () => undefined);
  const wire = await harness.wire('THIS IS NOT HTTP\r\n\r\n');
  t.regex(await wire.head(), /^HTTP\/1.1 400 Bad Request\r\nContent-Type: application\/json\r\n/);
  t.regex(await wire.rest(), /^\{"message":"malformed request: /);
  const hostless = await harness.wire('GET /_ping HTTP/1.1\r\n\r\n');
  t.regex(await hostless.head(), /^HTTP\/1.1 400 Bad Request\r\n/);
  t.regex(await hostless.until('\n'), /Host header is missing/);
});

test('a head that is too large or too slow is refused', async (t) => {
  const narrow = await startHarness(t, () => undefined, { limits: { maxHeaderSize: 10_000 } });
  const large = await narrow.wire(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`);
  t.regex(await large.head(), /^HTTP\/1.1 431 /);
  const harness = await startHarness(t, () => undefined, { limits: { headersTimeout: 100 } });
  const slow = await harness.wire('GET / HTTP/1.1\r\nHos');
  t.regex(await slow.head(), /^HTTP\/1.1 408 /);
  t.regex(await slow.rest(), /did not arrive in time/);
});

test('requests share a connection, one after the other and pipelined', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/:word', async (ctx) => {
      if (ctx.params.word === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
      ctx.body = ctx.params.word;
    });
  });
  const get = (word: string) => `GET /${word} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const wire = await harness.wire(get('one'));
  await wire.until('\r\n\r\none');
  wire.write(get('slow') + get('fast'));
  await wire.until('\r\n\r\nslow');
  await wire.until('\r\n\r\nfast');
  const old = await harness.wire('GET /old HTTP/1.0\r\n\r\n');
  t.regex(await old.rest(), /\r\n\r\nold$/);
});

test('a body that no handler reads does not disturb the next request', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/ignores', () => undefined);
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
  });
  const body = 'x'.repeat(500_000);
  const wire = await harness.wire(`POST /ignores HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await wire.head();
  wire.write('GET /_ping HTTP/1.1\r\nHost: x\r\n\r\n');
  await wire.until('\r\n\r\nOK');
  t.pass();
});

test('an answer in the middle of an upgrade request streams to its end', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/big', (ctx) => {
      ctx.body = Readable.from(
        (function* () {
          for (let part = 0; part < 100; part++) yield Buffer.alloc(50_000, 'x');
        })(),
      );
    });
  });
  const wire = await harness.wire('GET /big HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  t.regex(await wire.head(), /Connection: close/);
  t.true((await wire.rest()).length > 5_000_000);
});

test('stopping lets requests finish, ends idle connections and takes no new ones', async (t) => {
  let release: (() => void) | undefined;
  const harness = await startHarness(t, (router) => {
    router.get('/slow', async (ctx) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      ctx.body = 'finished';
    });
  });
  const idle = await harness.wire();
  const slow = await harness.wire('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  while (!release) await new Promise(setImmediate);
  const stopped = harness.server.stop(new AbortController().signal);
  t.is(await idle.rest(), '');
  await t.throwsAsync(Wire.open(harness.path));
  release();
  const answer = await slow.rest();
  t.regex(answer, /Connection: close/);
  t.regex(answer, /finished$/);
  await stopped;
});

test('a request that does not end is cut at the deadline', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/never', () => new Promise(() => undefined));
  });
  const wire = await harness.wire('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = harness.server.stop(AbortSignal.timeout(20));
  t.is(await wire.rest(), '');
  await stopped;
});
