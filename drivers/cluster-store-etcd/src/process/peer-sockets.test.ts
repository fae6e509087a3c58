import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { MemberTransport } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import { PeerSockets } from './peer-sockets.js';

/** A directory whose path has so many bytes. */
async function directoryOf(t: ExecutionContext, length: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'gantry-peers-'));
  t.teardown(() => rm(root, { recursive: true }));
  const directory = join(root, 'd'.repeat(length - root.length - 1));
  await mkdir(directory);
  return directory;
}

test('sockets of peers have paths of up to 107 bytes, and longer ones are refused with what to shorten', async (t) => {
  const connected: string[] = [];
  const transport: MemberTransport = {
    members: ['m2'],
    onChange: () => () => undefined,
    async connect(member) {
      connected.push(member);
      return new PassThrough();
    },
  };
  const longest = await directoryOf(t, 107 - '/m2:0'.length);
  const sockets = new PeerSockets(longest, transport, silentLogger);
  await sockets.open();
  const connection = connect(join(longest, 'm2:0'));
  await new Promise((resolve) => connection.once('data', resolve).write('hello'));
  connection.destroy();
  await sockets.close();
  t.deepEqual(connected, ['m2']);

  const tooLong = new PeerSockets(await directoryOf(t, 110), transport, silentLogger);
  await t.throwsAsync(tooLong.open(), {
    message: /m2:0 is too long for the path of a socket: shorten execRoot by 8 char/,
  });
});
