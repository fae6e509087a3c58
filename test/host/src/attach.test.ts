import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Daemon, eventually } from '@gantry/test-nodes';
import test from 'ava';
import { WebSocket } from 'ws';
import { fileDaemon } from './testing/file-daemon.js';

const daemonOfFile = fileDaemon();

/** What a client sees of a container through a WebSocket. */
async function webSocket({ socket }: Daemon, id: string, query: string) {
  const client = new WebSocket(`ws+unix://${socket}:/v1.24/containers/${id}/attach/ws?${query}`);
  let seen = '';
  client.on('message', (data: Buffer) => {
    seen += data.toString();
  });
  const closed = once(client, 'close');
  await once(client, 'open');
  return { client, closed, seen: () => seen };
}

test.serial('a WebSocket carries input and both outputs, and closes with the container', async (t) => {
  const daemon = daemonOfFile();
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'read x; echo "got $x"; echo problem >&2; exit 0'],
    OpenStdin: true,
  });
  await container.start();
  const { client, closed, seen } = await webSocket(daemon, container.id, 'stream=1&stdin=1&stdout=1&stderr=1');
  client.send('words\n');
  await closed;
  t.is(seen().split('\n').sort().join(' ').trim(), 'got words problem');
});

test.serial('a WebSocket replays past output on request', async (t) => {
  const daemon = daemonOfFile();
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo past; read x'],
    OpenStdin: true,
  });
  await container.start();
  const { client, closed, seen } = await webSocket(daemon, container.id, 'logs=1&stream=1&stdin=1&stdout=1');
  await eventually('the past', () => seen() === 'past\n');
  client.send('\n');
  await closed;
  t.is(seen(), 'past\n');
});

const syntaxes = [
  ['', '\x10\x11'],
  ['ctrl-p,ctrl-q', '\x10\x11'],
  ['x', 'x'],
  ['ctrl-a', '\x01'],
  ['ctrl-@', '\x00'],
  ['ctrl-[', '\x1b'],
  ['ctrl-_', '\x1f'],
  ['ctrl-^', '\x1e'],
  ['ctrl-,', '\x0c'],
  ['a,ctrl-b,C', 'a\x02C'],
] as const;

test.serial('detach keys in every syntax detach, and the container keeps running', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'stty raw -echo; exec cat'],
    Tty: true,
    OpenStdin: true,
    StopSignal: 'SIGKILL',
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  for (const [keys, bytes] of syntaxes) {
    const chosen = keys === '' ? {} : { detachKeys: keys };
    const stream = await container.attach({ hijack: true, stream: true, stdin: true, stdout: true, ...chosen });
    let seen = '';
    stream.on('data', (chunk: Buffer) => {
      seen += chunk;
    });
    stream.write('<hello>');
    await eventually(`an echo before ${keys}`, () => seen.includes('<hello>'));
    const ended = once(stream, 'end');
    // One by one, as they are typed.
    for (const byte of bytes) {
      stream.write(byte);
      await delay(5);
    }
    await ended;
    t.true((await container.inspect()).State.Running, keys);
  }
});

test.serial('attached clients get the same output, and one that detaches does not affect the others', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'while read x; do echo "$x"; done'],
    Tty: true,
    OpenStdin: true,
    StopSignal: 'SIGKILL',
  });
  await container.start();
  const sessions = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const stream = await container.attach({ hijack: true, stream: true, stdin: true, stdout: true });
      const session = { stream, seen: '' };
      stream.on('data', (chunk: Buffer) => {
        session.seen += chunk;
      });
      return session;
    }),
  );
  sessions[0]?.stream.write('one\n');
  await eventually('one everywhere', () => sessions.every(({ seen }) => seen.includes('one\r\none\r\n')));
  (sessions[0]?.stream as Duplex | undefined)?.destroy();
  sessions[1]?.stream.write('two\n');
  await eventually('two', () => sessions.slice(1).every(({ seen }) => seen.includes('two\r\ntwo\r\n')));
  t.false(sessions[0]?.seen.includes('two') ?? true);
});

test.serial('replayed output continues with live output without a gap or a repetition', async (t) => {
  const { client } = daemonOfFile();
  const lines = 2000;
  const Cmd = ['sh', '-c', `i=0; while [ $i -lt ${lines} ]; do echo $i; i=$((i+1)); done; read x`];
  const attached = async (Tty: boolean): Promise<string[]> => {
    const container = await client.createContainer({ Image: 'busybox', Cmd, Tty, OpenStdin: true });
    await container.start();
    const stream = await container.attach({ hijack: true, stream: true, logs: true, stdin: true, stdout: true });
    let seen = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
    });
    const ended = once(stream, 'end');
    await eventually('the last line', () => new RegExp(`\\b${lines - 1}\\r?\\n$`).test(seen.toString('latin1')));
    stream.write('on\n');
    await ended;
    return (Tty ? seen.toString().replace(/on\r\n$/, '') : unframed(seen)).trim().split(/\r?\n/);
  };
  const expected = Array.from({ length: lines }, (_, index) => String(index));
  for (let round = 0; round < 3; round += 1) {
    for (const seen of await Promise.all([attached(true), attached(false)])) t.deepEqual(seen, expected);
  }
});

/** What is in the frames of a stream. */
function unframed(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    text += bytes.toString('utf8', at + 8, at + 8 + bytes.readUInt32BE(at + 4));
  }
  return text;
}
