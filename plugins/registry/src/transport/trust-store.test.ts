import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { Connections } from './connections.js';
import { InsecureHosts } from './insecure-hosts.js';
import { readText } from './read-body.js';
import { send } from './send.js';
import { TrustStore } from './trust-store.js';

test('an unknown certificate is trusted when it is configured for the registry, or verification is off', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-trust-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [key, certificate] = [path.join(directory, 'key.pem'), path.join(directory, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(' '),
    ...['-keyout', key, '-out', certificate],
  ]);
  t.is(made.status, 0);
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (_, response) =>
    response.end('hello'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`);
  const connections = new Connections(new TrustStore(directory, []));
  t.teardown(() => {
    connections.close();
    server.close();
  });
  const ask = async (verify: boolean) => {
    const connection = await connections.to(url, { verify });
    return readText(await send({ method: 'GET', url, headers: {}, idleTimeout: 5000 }, connection), 100);
  };
  await t.throwsAsync(ask(true), { message: /self-signed certificate/, name: 'ConnectionError' });
  t.is(await ask(false), 'hello');
  await mkdir(path.join(directory, url.host));
  t.is(spawnSync('cp', [certificate, path.join(directory, url.host, 'ca.crt')]).status, 0);
  t.is(await ask(true), 'hello');
});

test('loopback needs no certificate, nor do the configured hosts, addresses and networks', (t) => {
  const hosts = new InsecureHosts(['registry.example', 'other.example:5000', '10.1.0.0/16', 'fd00::/8']);
  for (const host of ['127.0.0.1:5000', '127.9.9.9', 'localhost:1', '[::1]:5000', 'registry.example:80']) {
    t.true(hosts.has(host), host);
  }
  for (const host of ['other.example:5000', '10.1.2.3:5000', '[fd00::1]']) t.true(hosts.has(host), host);
  for (const host of ['other.example', '10.2.0.1', 'example', '[fe80::1]:1']) t.false(hosts.has(host), host);
  t.throws(() => new InsecureHosts(['10.0.0.0/99']), { message: /"10.0.0.0\/99" is not a network/ });
});
