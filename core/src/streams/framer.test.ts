import { PassThrough } from 'node:stream';
import test from 'ava';
import { Demultiplexer } from './demultiplexer.js';
import { frame, frameHeader, frames, writeFrame } from './framer.js';

const bytes = (text: string): Buffer => Buffer.from(text);
const shown = (chunks: ReturnType<Demultiplexer['push']>): [string, string][] =>
  chunks.map(({ stream, data }) => [stream, Buffer.from(data).toString()]);

test('a frame header carries the stream and the length', (t) => {
  t.deepEqual([...frameHeader('stderr', 258)], [2, 0, 0, 0, 0, 0, 1, 2]);
  t.deepEqual([...frameHeader('stdin', 2 ** 32 - 1)], [0, 0, 0, 0, 255, 255, 255, 255]);
});

test('a frame is its header and its payload', (t) => {
  t.deepEqual([...frame('stdout', bytes('hi'))], [1, 0, 0, 0, 0, 0, 0, 2, 104, 105]);
});

test('several chunks become consecutive frames in one buffer', (t) => {
  const joined = frames([
    { stream: 'stdout', data: bytes('out') },
    { stream: 'stderr', data: bytes('') },
    { stream: 'stderr', data: bytes('err') },
  ]);
  t.deepEqual(
    joined,
    Buffer.concat([frame('stdout', bytes('out')), frame('stderr', bytes('')), frame('stderr', bytes('err'))]),
  );
});

test('a large payload is written behind its header without a copy', (t) => {
  const target = new PassThrough({ highWaterMark: 1 });
  const payload = Buffer.alloc(100_000, 'x');
  t.false(writeFrame(target, 'stdout', payload));
  t.deepEqual(target.read(8), frameHeader('stdout', payload.length));
  t.is(Buffer.compare(target.read(), payload), 0);
});

test('frames come apart however the bytes were cut', (t) => {
  const whole = frames([
    { stream: 'stdout', data: bytes('one\n') },
    { stream: 'stdin', data: bytes('') },
    { stream: 'stderr', data: bytes('two\n') },
  ]);
  for (let size = 1; size <= whole.length; size++) {
    const demultiplexer = new Demultiplexer();
    const text = { stdin: '', stdout: '', stderr: '' };
    for (let at = 0; at < whole.length; at += size) {
      for (const [stream, data] of shown(demultiplexer.push(whole.subarray(at, at + size)))) {
        text[stream as 'stdin'] += data;
      }
    }
    t.deepEqual(text, { stdin: '', stdout: 'one\n', stderr: 'two\n' });
    t.true(demultiplexer.atBoundary);
  }
});

test('a stream that is cut inside a frame is not at a boundary', (t) => {
  const demultiplexer = new Demultiplexer();
  t.deepEqual(shown(demultiplexer.push(frame('stdout', bytes('hello')).subarray(0, 10))), [['stdout', 'he']]);
  t.false(demultiplexer.atBoundary);
});

test('bytes that are no header are refused', (t) => {
  t.throws(() => new Demultiplexer().push(bytes('HTTP/1.1 200 OK')), { message: /is not the header of a frame/ });
  t.throws(() => new Demultiplexer().push(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0])), { message: /0300000000000000/ });
});
