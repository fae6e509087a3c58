import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { demultiplex } from './demultiplex.js';

function frame(stream: number, content: string): Buffer {
  const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(Buffer.byteLength(content), 4);
  return Buffer.concat([head, Buffer.from(content)]);
}

test('frames are split wherever the chunks end', async (t) => {
  const bytes = Buffer.concat([frame(1, 'out '), frame(2, 'bad'), frame(1, ''), frame(1, 'put')]);
  for (const size of [1, 3, 8, 11, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const { stdout, stderr } = demultiplex(Readable.from(chunks, { objectMode: false }));
    t.deepEqual(await Promise.all([text(stdout), text(stderr)]), ['out put', 'bad'], `chunks of ${size}`);
  }
});

test('a stream that is destroyed does not hold back the other, and both end the source', async (t) => {
  const source = new PassThrough();
  const { stdout, stderr } = demultiplex(source);
  stderr.destroy();
  source.write(frame(2, 'x'.repeat(100_000)));
  source.write(frame(1, 'after'));
  source.end();
  t.is(await text(stdout), 'after');
  const endless = new PassThrough();
  const both = demultiplex(endless);
  both.stdout.destroy();
  both.stderr.destroy();
  await new Promise((resolve) => endless.once('close', resolve));
  t.true(endless.destroyed);
});

test('output that ends within a frame, or has an unknown stream, is an error', async (t) => {
  const cut = demultiplex(Readable.from([frame(1, 'whole').subarray(0, 10)], { objectMode: false }));
  cut.stderr.on('error', () => undefined);
  await t.throwsAsync(text(cut.stdout), { message: 'the output ended within a frame' });
  const odd = demultiplex(Readable.from([frame(9, 'x')], { objectMode: false }));
  odd.stderr.on('error', () => undefined);
  await t.throwsAsync(text(odd.stdout), { message: /unknown stream 9/ });
});
