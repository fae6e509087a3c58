import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { formatResolvConf, forwardersOf, mergeResolvConf, parseResolvConf, readHostResolvConf } from './resolv-conf.js';

test('name servers, search list and options are parsed, comments are skipped', (t) => {
  const conf = parseResolvConf('# x\nnameserver 10.0.0.1 # first\nsearch a.test b.test\noptions ndots:2 rotate\n');
  t.deepEqual(conf, { nameservers: ['10.0.0.1'], search: ['a.test', 'b.test'], options: ['ndots:2', 'rotate'] });
});

test("each setting of the container replaces the host's", (t) => {
  const host = { nameservers: ['10.0.0.1'], search: ['host.test'], options: ['rotate'] };
  t.deepEqual(mergeResolvConf({ nameservers: ['9.9.9.9'], search: [], options: [] }, host), {
    nameservers: ['9.9.9.9'],
    search: ['host.test'],
    options: ['rotate'],
  });
});

test('a search list of one dot disables it', (t) => {
  const host = { nameservers: [], search: ['host.test'], options: [] };
  t.deepEqual(mergeResolvConf({ nameservers: [], search: ['.'], options: [] }, host).search, []);
});

test('the embedded resolver is the only name server, with ndots:0', (t) => {
  const text = formatResolvConf({ nameservers: ['10.0.0.1'], search: ['a.test'], options: [] }, true);
  t.is(text, 'search a.test\nnameserver 127.0.0.11\noptions ndots:0\n');
});

test('the embedded resolver forwards to name servers on the loopback of the host, not of a container', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-resolv-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const files = { own: path.join(directory, 'own'), upstream: path.join(directory, 'upstream') };
  await writeFile(files.own, 'nameserver 127.0.0.53\n');
  const bare = { nameservers: [], search: [], options: [] };
  t.deepEqual((await readHostResolvConf([], files)).nameservers, []);
  await writeFile(files.upstream, 'nameserver 10.0.0.9\n');
  const host = await readHostResolvConf([], files);
  t.deepEqual(host.nameservers, ['10.0.0.9']);
  t.deepEqual(forwardersOf(bare, host), ['127.0.0.53']);
  t.deepEqual(forwardersOf({ ...bare, nameservers: ['127.0.0.1', '9.9.9.9'] }, host), ['9.9.9.9']);
});

test('a host with name servers on its loopback only gives containers the fallback, and an empty list of it none', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-resolv-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const files = { own: path.join(directory, 'own'), upstream: path.join(directory, 'upstream') };
  const fallback = ['192.0.2.53'];
  t.like(await readHostResolvConf(fallback, files), { nameservers: fallback, ownNameservers: fallback }, 'no file');
  await writeFile(files.own, 'nameserver 127.0.0.53\nnameserver ::1\nsearch host.test\n');
  t.like(await readHostResolvConf(fallback, files), {
    nameservers: fallback,
    ownNameservers: ['127.0.0.53', '::1'],
    search: ['host.test'],
  });
  t.deepEqual((await readHostResolvConf([], files)).nameservers, []);
  await writeFile(files.own, 'nameserver 10.0.0.9\n');
  t.deepEqual((await readHostResolvConf(fallback, files)).nameservers, ['10.0.0.9']);
});
