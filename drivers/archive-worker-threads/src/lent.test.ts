import { setMaxListeners } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { lendDescriptor } from '@gantry/core/streams';
import { archiveOf, gzipped, member } from '@gantry/lib-archive/testing';
import test, { type ExecutionContext } from 'ava';
import { openArchive } from './testing/open-archive.js';
import { scratch } from './testing/scratch.js';

const content = 'x'.repeat(3 * 2 ** 20);
const bytes = archiveOf(member('file', { body: content }), member('next', { body: 'behind' }));
const behind = 'of somebody else';

/** A body on a connection, of which the first bytes were read already. */
async function lent(t: ExecutionContext, directory: string, body: Buffer, idle = 0) {
  const path = join(directory, 'socket');
  const server = createServer({ pauseOnConnect: true }).listen(path);
  const taken: Promise<Socket> = new Promise((resolve) => server.once('connection', resolve));
  const client = createConnection(path);
  const socket = await taken;
  t.teardown(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  client.on('error', () => undefined);
  socket.on('error', () => undefined);
  const stream = Readable.from(['nobody reads this']);
  const { fd } = (socket as Socket & { readonly _handle: { readonly fd: number } })._handle;
  const beginning = body.subarray(0, 700);
  const backs: (number | undefined)[] = [];
  lendDescriptor(stream, async (_least, wants) =>
    wants(beginning)
      ? {
          descriptor: fd,
          beginning,
          length: body.length - beginning.length,
          idle,
          giveBack: async (bytes) => void backs.push(bytes),
        }
      : undefined,
  );
  return { stream, client, socket, backs, rest: body.subarray(700) };
}

for (const [form, body] of [
  ['plain', bytes],
  ['compressed', gzipped(Buffer.concat([bytes, Buffer.alloc(1024)]))],
] as const) {
  test(`a ${form} archive is read of the connection it comes by, and nothing behind it`, async (t) => {
    const { archive, root, base } = await scratch(t);
    const { stream, client, socket, backs, rest } = await lent(t, base, body);
    client.write(rest.subarray(0, 1000));
    setTimeout(() => client.write(Buffer.concat([rest.subarray(1000), Buffer.from(behind)])), 150);
    const { entries } = await archive.extract({ stream }, root, '/');
    t.is(entries, 2);
    t.is(readFileSync(join(root, 'file'), 'utf8'), content);
    t.deepEqual(backs, [rest.length]);
    const left: string = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))).resume());
    t.is(left, behind);
  });
}

test('a client that stops, goes, or sends what is no archive is told of, and how much was read', async (t) => {
  const { archive, root, base } = await scratch(t);
  const sends = async (
    name: string,
    body: Buffer,
    idle: number,
    act: (client: Socket) => void,
    signal?: AbortSignal,
  ) => {
    const { stream, client, backs } = await lent(t, mkdtempSync(join(base, 'c-')), body, idle);
    act(client);
    const error = await t.throwsAsync(
      archive.extract({ stream }, root, '/', { ...(signal !== undefined && { signal }) }),
      undefined,
      name,
    );
    return [error.message.replace(/^.*: (?=the )/, ''), ...backs];
  };
  t.deepEqual(await sends('stops', bytes, 150, (client) => client.write(bytes.subarray(700, 1700))), [
    'the next part of the body of the request did not arrive within 0.15 s',
    undefined,
  ]);
  t.deepEqual(await sends('goes', bytes, 0, (client) => client.end(bytes.subarray(700, 1700))), [
    'the body of the request ended early',
    1000,
  ]);
  const bad = Buffer.alloc(2000, 'z');
  const [message, back] = await sends('is bad', bad, 0, (client) => client.write(bad));
  t.regex(String(message), /invalid tar header/);
  t.is(back, 0, 'the beginning is enough to tell');
  const signal = AbortSignal.timeout(150);
  t.deepEqual(await sends('is aborted', bytes, 0, () => undefined, signal), ['The operation was aborted', 0]);
});

test('a connection that stands still gives way when others wait for its place', async (t) => {
  const { base, root } = await scratch(t);
  const archive = openArchive(t, { stallSeconds: 0.2 });
  const over = new AbortController();
  const places = await Promise.all(Array.from({ length: 17 }, () => lent(t, mkdtempSync(join(base, 'c-')), bytes)));
  const options = { signal: over.signal };
  setMaxListeners(0, over.signal);
  const outcomes = places.map(({ stream }) =>
    archive.extract({ stream }, root, '/', options).catch(({ message }: Error) => message),
  );
  t.regex(String(await Promise.race(outcomes)), /^nothing was sent or read for \d+ s, and others wait/);
  over.abort();
  await Promise.all(outcomes);
  t.true(places.every(({ backs }) => backs.length === 1 && backs[0] === 0));
});
