import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createPlain } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { download } from './download.js';
import { sendRequest } from './send-request.js';
import { startProxy } from './testing/start-proxy.js';

const options = { signal: AbortSignal.timeout(60_000) };

test.serial('an http URL is read through the proxy, which alone sees its credentials', async (t) => {
  const seen: (string | undefined)[] = [];
  const server = createPlain((request, response) => {
    seen.push(request.headers['proxy-authorization'], request.headers.host);
    response.end(`at ${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  const proxy = await startProxy(t, `127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.env.HTTP_PROXY = proxy.url.replace('//', '//ann:p%40ss@');
  t.teardown(() => void delete process.env.HTTP_PROXY);
  const { body } = await download('http://files.test/a?b=c#d', options);
  t.is(await text(body), 'at /a?b=c');
  t.deepEqual(proxy.asked, ['GET http://files.test/a?b=c']);
  t.deepEqual(proxy.authorizations, [`Basic ${Buffer.from('ann:p@ss').toString('base64')}`]);
  t.deepEqual(seen, [undefined, 'files.test']);
  process.env.NO_PROXY = 'files.test';
  t.teardown(() => void delete process.env.NO_PROXY);
  await t.throwsAsync(download('http://files.test/', options), { message: /ENOTFOUND|EAI_AGAIN/ });
  t.is(proxy.asked.length, 1);
});

test.serial('an https URL is read through a tunnel, with the certificate of its own host', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-tunnel-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [key, cert] = [path.join(directory, 'key.pem'), path.join(directory, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=files.test -addext subjectAltName=DNS:files.test'.split(
      ' ',
    ),
    ...['-keyout', key, '-out', cert],
  ]);
  t.is(made.status, 0);
  const ca = await readFile(cert);
  const server = createTls({ key: await readFile(key), cert: ca }, (_, response) => response.end('secret'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = await startProxy(t, `127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.env.HTTPS_PROXY = proxy.url;
  t.teardown(() => void delete process.env.HTTPS_PROXY);
  const ask = (more: object) =>
    new Promise<string>((resolve, reject) => {
      sendRequest(new URL('https://files.test/x'), { ...options, ...more }, (response) => resolve(text(response)))
        .on('error', reject)
        .end();
    });
  await t.throwsAsync(ask({}), { message: /self-signed|unable to verify/ });
  t.is(await ask({ ca }), 'secret');
  t.is(proxy.asked[0], 'CONNECT files.test:443');
});
