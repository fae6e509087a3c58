import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { hijack } from '../hijacking/hijack.js';
import { Surface } from '../surface/surface.js';
import { testCertificate } from '../testing/certificates.js';
import { EngineServer } from './engine-server.js';

const own = testCertificate('gantry test');
const unsigned = testCertificate('another authority');

/** Missing in the types, not in Node. */
const halfOpen: object = { allowHalfOpen: true };

async function serve(t: ExecutionContext, asksForCertificates = true): Promise<{ host: string; port: number }> {
  return (await serveFiles(t, asksForCertificates)).address;
}

async function serveFiles(t: ExecutionContext, asksForCertificates: boolean, more: object = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-tls-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = async (name: string, text: string) => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const [cert, key] = [await file('cert.pem', own.cert), await file('key.pem', own.key)];
  const surface = new Surface({ name: 'test' });
  surface.routes('test', (router) => {
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
    router.post('/shout', async (ctx) => {
      const { socket } = await hijack(ctx, { contentType: 'raw' });
      let text = '';
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += String(chunk);
      socket.write(text.toUpperCase());
    });
  });
  const tls = { cert, key, ...(asksForCertificates && { ca: cert }), ...more };
  const endpoint = { kind: 'tcp', host: '127.0.0.1', port: 0, tls } as const;
  const server = await EngineServer.start(surface, endpoint);
  t.teardown(() => server.stop(AbortSignal.abort()));
  const [host = '', port] = server.address.split(':');
  return { address: { host, port: Number(port) }, server, directory };
}

async function ping(options: RequestOptions): Promise<string> {
  const asked = request({ ca: own.cert, ...options, path: '/_ping', agent: false });
  asked.end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}

test('a client with a certificate of the authority is served', async (t) => {
  t.is(await ping({ ...(await serve(t)), ...own }), 'OK');
});

test('without an authority every client is served', async (t) => {
  t.is(await ping(await serve(t, false)), 'OK');
});

test('a client without one, or with another, is not', async (t) => {
  const address = await serve(t);
  await t.throwsAsync(ping(address));
  await t.throwsAsync(ping({ ...address, ...unsigned }));
});

for (const upgrade of ['', 'Connection: Upgrade\r\nUpgrade: tcp\r\n']) {
  test(`a hijacked connection keeps its half-close ${upgrade ? 'with' : 'without'} Upgrade`, async (t) => {
    const socket = connect({ ...(await serve(t)), ca: own.cert, ...own, ...halfOpen });
    socket.write(`POST /shout HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 0\r\n\r\n`);
    const [head] = await once(socket.setEncoding('latin1'), 'data');
    t.regex(String(head), upgrade ? /^HTTP\/1.1 101 / : /^HTTP\/1.1 200 /);
    let rest = '';
    socket.on('data', (text) => {
      rest += String(text);
    });
    socket.end('loud');
    await once(socket, 'end');
    t.is(rest, 'LOUD');
  });
}

test('a file that cannot be read is named', async (t) => {
  const tls = { ca: '/no/such/ca.pem', cert: '/no/such/cert.pem', key: '/no/such/key.pem' };
  const endpoint = { kind: 'tcp', host: '127.0.0.1', port: 0, tls } as const;
  await t.throwsAsync(EngineServer.start(new Surface({ name: 'test' }), endpoint), {
    message: /^tls\.ca: cannot read \/no\/such\/ca\.pem: /,
  });
});

test('certificates are read again for new connections, and damaged ones change nothing', async (t) => {
  const { address, server, directory } = await serveFiles(t, false);
  t.is(await ping(address), 'OK');
  await writeFile(join(directory, 'cert.pem'), 'damaged');
  await t.throwsAsync(server.reloadCertificates());
  t.is(await ping(address), 'OK');
  await writeFile(join(directory, 'cert.pem'), unsigned.cert);
  await writeFile(join(directory, 'key.pem'), unsigned.key);
  await server.reloadCertificates();
  await t.throwsAsync(ping(address));
  t.is(await ping({ ...address, ca: unsigned.cert }), 'OK');
});

test('clients with older versions of TLS than the configured one are refused', async (t) => {
  const { address } = await serveFiles(t, false, { minVersion: '1.3' });
  await t.throwsAsync(ping({ ...address, maxVersion: 'TLSv1.2' }));
  t.is(await ping({ ...address, maxVersion: 'TLSv1.3' }), 'OK');
});
