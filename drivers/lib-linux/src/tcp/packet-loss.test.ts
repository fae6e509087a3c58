import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { PacketLoss } from './packet-loss.js';

const run = promisify(execFile);

/** A connection of which packets to the other end are lost once it says so. */
async function connection(t: ExecutionContext, listened: string, address: string, serve = (_accepted: Socket) => {}) {
  const server = createServer((accepted) => {
    accepted.resume().on('error', () => undefined); // ends with the test
    serve(accepted);
  });
  server.listen(0, listened);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, address);
  await once(client, 'connect');
  t.teardown(() => {
    client.destroy();
    server.close();
  });
  const table = `gantry_lost_${process.pid}_${port}`;
  const lose = async (): Promise<void> => {
    await run('nft', [
      `table inet ${table} {
        chain lost {
          type filter hook output priority 0; policy accept;
          tcp dport ${port} drop
        }
      }`,
    ]);
    t.teardown(() => run('nft', ['delete', 'table', 'inet', table]));
  };
  return { client, lose };
}

for (const [family, listened, address] of [
  ['IPv4', '127.0.0.1', '127.0.0.1'],
  ['IPv6', '::1', '::1'],
  ['IPv4 over a socket of IPv6', '::', '::ffff:127.0.0.1'],
] as const) {
  test(`loss is known of a connection of ${family}`, async (t) => {
    const { client, lose } = await connection(t, listened, address);
    const loss = new PacketLoss(client);
    t.false(loss.look(), 'nothing was sent');
    client.write('arrives');
    t.false(loss.look());
    await lose();
    client.write('is lost');
    while (!loss.look()) await delay(20);
    client.destroy();
    await once(client, 'close');
    t.false(loss.look(), 'it is not connected');
  });
}

test('loss stays known while packets arrive from the other end', async (t) => {
  const { client, lose } = await connection(t, '127.0.0.1', '127.0.0.1', (accepted) => {
    const timer = setInterval(() => accepted.write('arrives'), 5);
    accepted.once('close', () => clearInterval(timer));
  });
  client.resume();
  await lose();
  client.write('is lost');
  const loss = new PacketLoss(client);
  while (!loss.look()) await delay(20);
  for (let looks = 1; looks <= 50; looks++) {
    await delay(10);
    t.true(loss.look(), `look ${looks}`);
  }
});
