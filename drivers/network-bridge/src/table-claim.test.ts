import { once } from 'node:events';
import { createServer } from 'node:net';
import { Lifetime, type Logger } from '@gantry/core/driver';
import { kernelSockets, type PeerCredentials } from '@gantry/lib-linux/sockets';
import test, { type ExecutionContext } from 'ava';
import { TableClaim } from './table-claim.js';

/** Holds the name of a table; the claim of an engine that sees the given process behind it, and what that logs. */
async function heldTable(t: ExecutionContext, table: string, listener: (name: string) => PeerCredentials | undefined) {
  const holder = createServer((client) => {
    client.on('error', () => undefined); // one that only looks who listens does not read
    client.end('/elsewhere');
  }).listen(`\0gantry/network-bridge/${table}`);
  t.teardown(() => void holder.close());
  await once(holder, 'listening');
  const logged: unknown[] = [];
  const log = { warn: (fields: { readonly event: string }) => logged.push(fields.event) } as unknown as Logger;
  const claim = new TableClaim({ table }, { root: '/own' }, new Lifetime(), log, { abstractListener: listener });
  return { claim, logged };
}

const own = { uid: process.getuid?.() ?? 0, gid: 0 };

/** What holds the name, by what the engine sees of it. */
const programs: Record<string, () => PeerCredentials | undefined> = {
  'another executable': () => ({ ...own, pid: 1 }),
  'another user': () => ({ ...own, uid: own.uid + 1, pid: process.pid }),
  'in another process namespace': () => ({ ...own, pid: 0 }),
  'accepting no connection': () => undefined,
};

test('a program that is no engine cannot keep one from starting by the name of its table', async (t) => {
  for (const [index, [program, listener]] of Object.entries(programs).entries()) {
    const { claim, logged } = await heldTable(t, `held-${process.pid}-${index}`, listener);
    await t.notThrowsAsync(claim.acquire(), program);
    t.deepEqual(logged, ['table.not-reserved'], program);
  }
});

test('another engine is refused', async (t) => {
  const { claim } = await heldTable(t, `engine-${process.pid}`, kernelSockets.abstractListener);
  await t.throwsAsync(claim.acquire(), { message: /another engine on this host uses the table/ });
});
