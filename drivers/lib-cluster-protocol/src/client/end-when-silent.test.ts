import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { untilAborted } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import type { NodeRoute } from '../server/node-route.js';
import { listen, manager } from '../testing/start-manager.js';
import { NodeConnection } from './node-connection.js';

const run = promisify(execFile);
const echo: NodeRoute = { type: 'call', access: 'nodes', answer: async ({ body }) => body };
let tables = 0;

/** A connection to a manager, through a relay that shows all that are made. */
async function connectThroughRelay(t: ExecutionContext) {
  const accepted: Socket[] = [];
  const [host, port] = (await listen(t, { '/echo': echo })).split(':');
  const relay = createServer((socket) => {
    accepted.push(socket);
    const onward = connect(Number(port), host);
    for (const end of [socket, onward]) end.on('error', () => undefined); // ends with the test
    socket.pipe(onward).pipe(socket);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.teardown(() => {
    for (const socket of accepted) socket.destroy();
    relay.close();
  });
  const address = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const connection = await NodeConnection.open(address, { identity: manager });
  t.teardown(() => connection.close());
  return { accepted, connection };
}

/** Packets from one port to another are lost, on the way out or later. @returns ends that. */
async function lose(t: ExecutionContext, from: number | undefined, to: number | undefined, hook: 'input' | 'output') {
  tables += 1;
  const table = `gantry_lost_${process.pid}_${tables}`;
  const rule = `tcp sport ${from} tcp dport ${to} drop`;
  await run('nft', [
    `table ip ${table} {
      chain lost {
        type filter hook ${hook} priority 0; policy accept;
        ${rule}
      }
    }`,
  ]);
  let isOver = false;
  const end = async (): Promise<void> => {
    if (!isOver) await run('nft', ['delete', 'table', 'ip', table]);
    isOver = true;
  };
  t.teardown(end);
  return end;
}

/** Packets to the accepting end of a connection are lost. */
const losePackets = (t: ExecutionContext, { localPort, remotePort }: Socket, hook: 'input' | 'output') =>
  lose(t, remotePort, localPort, hook);

for (const hook of ['output', 'input'] as const) {
  test(`a connection is ended when only another one gets through, with packets lost at ${hook}`, async (t) => {
    const { accepted, connection } = await connectThroughRelay(t);
    const [first] = accepted as [Socket];
    await losePackets(t, first, hook);
    await untilAborted(connection.closed);
    t.true(accepted.length > 1, 'another connection was attempted before');
  });
}

test('a manager that is merely busy keeps its connections', async (t) => {
  const { accepted, connection } = await connectThroughRelay(t);
  const [first] = accepted as [Socket];
  first.pause();
  await delay(5_000);
  first.resume();
  t.is(await connection.call('/echo', 'still there'), 'still there');
  t.is(accepted.length, 1);
});

test('a manager that has dropped a connection while it was cut off does not keep the node waiting', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const opened = NodeConnection.open(`127.0.0.1:${port}`, { identity: manager });
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'data'); // the node's part of the handshake has arrived
  const heal = await lose(t, port, socket.remotePort, 'output');
  socket.resetAndDestroy();
  await heal();
  await t.throwsAsync(opened, { message: /ECONNRESET/ });
});
