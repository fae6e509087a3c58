import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { socketPair } from './descriptor-channel.js';
import { serveHostSockets } from './serve-host-sockets.js';

const module = new URL('./host-sockets.js', import.meta.url).href;

/** A daemon that listens on a port of its launcher, answers one client, and tries the port a second time. */
const daemon = `
import { createServer } from 'node:net';
import { HostSockets } from '${module}';
const sockets = HostSockets.fallback(() => undefined);
const { fd, port } = sockets.listenTcp({ address: '127.0.0.1', port: 0 });
try { sockets.listenTcp({ address: '127.0.0.1', port }); } catch (error) { console.log(error.code); }
const server = createServer((client) => { client.end('answer'); server.close(); });
server.listen({ fd }, () => console.log(port));
`;

test('a daemon gets listening sockets from its launcher, and the reason when there are none', async (t) => {
  const [own, given] = socketPair();
  serveHostSockets(own);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', daemon], {
    env: { ...process.env, GANTRY_HOST_SOCKETS: '3' },
    stdio: ['ignore', 'pipe', 'inherit', given],
  }) as ChildProcessByStdio<null, Readable, null>;
  closeSync(given);
  let printed = '';
  while (!/\d+\n/.test(printed)) printed += String((await once(child.stdout, 'data'))[0]);
  const [refusal, port] = printed.split('\n');
  t.is(refusal, 'EADDRINUSE');
  t.is(await text(connect(Number(port), '127.0.0.1')), 'answer');
  await once(child, 'exit');
  // The launcher keeps no socket of its own.
  const again = createServer().listen(Number(port), '127.0.0.1');
  await once(again, 'listening');
  again.close();
});
