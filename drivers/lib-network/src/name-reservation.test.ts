import { once } from 'node:events';
import { createServer } from 'node:net';
import { Lifetime, type Logger } from '@gantry/core/driver';
import { kernelSockets, type PeerCredentials } from '@gantry/lib-linux/sockets';
import test, { type ExecutionContext } from 'ava';
import { NameReservation } from './name-reservation.js';

/** Holds a name; the reservation of an engine that sees the given process behind it, and what that logs. */
async function heldName(t: ExecutionContext, value: string, listener: (name: string) => PeerCredentials | undefined) {
  const holder = createServer((client) => {
    client.on('error', () => undefined); // one that only looks who listens does not read
    client.end('/elsewhere');
  }).listen(`\0gantry/network-test/${value}`);
  t.teardown(() => void holder.close());
  await once(holder, 'listening');
  const logged: unknown[] = [];
  const log = { warn: (fields: { readonly event: string }) => logged.push(fields.event) } as unknown as Logger;
  const names = new NameReservation({ root: '/own' }, new Lifetime(), log, { abstractListener: listener });
  return { acquire: () => names.acquire({ driver: 'network/test', key: 'table', value }), logged };
}

const own = { uid: process.getuid?.() ?? 0, gid: 0 };

/** What holds the name, by what the engine sees of it. */
const programs: Record<string, () => PeerCredentials | undefined> = {
  'another executable': () => ({ ...own, pid: 1 }),
  'another user': () => ({ ...own, uid: own.uid + 1, pid: process.pid }),
  'in another process namespace': () => ({ ...own, pid: 0 }),
  'accepting no connection': () => undefined,
};

test('a program that is no engine cannot keep one from starting by the name it reserves', async (t) => {
  for (const [index, [program, listener]] of Object.entries(programs).entries()) {
    const { acquire, logged } = await heldName(t, `held-${process.pid}-${index}`, listener);
    await t.notThrowsAsync(acquire(), program);
    t.deepEqual(logged, ['name.not-reserved'], program);
  }
});

test('another engine is refused', async (t) => {
  const { acquire } = await heldName(t, `engine-${process.pid}`, kernelSockets.abstractListener);
  await t.throwsAsync(acquire(), {
    message: /another engine on this host uses the table "engine-\d+"; set config\.drivers\["network\/test"\]\.table/,
  });
});
