import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { convertSource } from '../convert-source.js';
import { detectSource } from '../detect-source.js';
import { contextIn, run, scratchFor } from '../testing/scratch.js';
import { gitBackend, serveHttp } from '../testing/servers.js';
import { Gate } from './gate.js';
import { isPublicAddress } from './public-address.js';

test('addresses of hosts, links, sites, groups and tunnels are not public', (t) => {
  const inside = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1
    224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 fe80::1 fc00::1 fd00:ec2::254 ff02::1
    2002:7f00:1:: 2001:db8::1 2001::1 nonsense 127.1`;
  for (const address of inside.split(/\s+/)) t.false(isPublicAddress(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::200e']) {
    t.true(isPublicAddress(address), address);
  }
});

test('private addresses are refused by default, by every tool and however they are written', async (t) => {
  const directory = await scratchFor(t);
  const context = { scratch: join(directory, 'work') };
  const urls = ['http://127.0.0.1/x', 'http://2130706433/x', 'http://localhost/x', 'https://[::1]/x', 'http://0x7f.1/'];
  for (const url of [...urls, 'svn://localhost/x', 'git://127.0.0.1/x']) {
    t.like(await t.throwsAsync(detectSource({ url }, context), undefined, url), { failure: 'refused-address' }, url);
  }
  for (const vcs of ['git', 'subversion', 'mercurial', 'tfvc'] as const) {
    const convert = convertSource(
      { url: 'http://127.0.0.1:1/x', vcs },
      { ...context, repository: join(directory, 'git') },
    );
    t.like(await t.throwsAsync(convert), { failure: 'refused-address', kind: 'forbidden' }, vcs);
  }
});

test('a redirect to an address that is not allowed is refused, for every tool, and one that is allowed is followed', async (t) => {
  const directory = await scratchFor(t);
  await run(directory, 'git', ['init', '-q', '--bare', 'source.git']);
  const inner = await serveHttp(t, gitBackend(directory));
  let reached = false;
  const secret = await serveHttp(t, (_asked, answer) => {
    reached = true;
    answer.end();
  });
  let target = secret;
  const outer = await serveHttp(t, (asked, answer) => {
    asked.resume();
    answer.writeHead(301, { location: `${target}${asked.url}` }).end();
  });
  const context = {
    ...contextIn(directory),
    allowDestination: ({ port }: { port: number }) => !secret.endsWith(`:${port}`),
  };
  const url = `${outer}/source.git`;
  t.like(await t.throwsAsync(detectSource({ url }, context)), { failure: 'refused-address' });
  for (const vcs of ['git', 'subversion', 'mercurial', 'tfvc'] as const) {
    const convert = convertSource({ url, vcs }, { ...context, repository: join(directory, vcs) });
    t.like(await t.throwsAsync(convert, undefined, vcs), { failure: 'refused-address' }, vcs);
  }
  t.false(reached);
  target = inner;
  t.deepEqual(await detectSource({ url }, context), { status: 'found', vcs: 'git' });
  await t.notThrowsAsync(convertSource({ url, vcs: 'git' }, { ...context, repository: join(directory, 'git') }));
});

test('the way out is for those who know its secret only', async (t) => {
  const gate = await Gate.open({ allowDestination: () => true }, () => undefined);
  t.teardown(() => gate.close());
  const target = createServer((socket) => socket.end('open')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  t.teardown(() => void target.close());
  const port = String((target.address() as { port: number }).port);
  const ask = async (secret: string): Promise<string> => {
    const socket = connect(gate.port, '127.0.0.1');
    const token = Buffer.from(`${gate.user}:${secret}`).toString('base64');
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: Basic ${token}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString();
    return text;
  };
  t.regex(await ask('guess'), /^HTTP\/1.1 407 /);
  t.regex(await ask(gate.secret), /^HTTP\/1.1 200 [\s\S]*open$/);
});
