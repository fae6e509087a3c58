import { PassThrough } from 'node:stream';
import test from 'ava';
import { parseSyncMessage, SyncPipe } from './sync-pipe.js';

test('a report has a number and perhaps a message', (t) => {
  t.deepEqual(parseSyncMessage('{"data": 42}'), { data: 42, message: undefined });
  t.deepEqual(parseSyncMessage('{"data": -1, "message": "it \\"broke\\"\\n"}'), { data: -1, message: 'it "broke"\n' });
  t.deepEqual(parseSyncMessage('{"data": -1, "message": "a\u001fb"}'), { data: -1, message: 'a\u001fb' });
  t.is(parseSyncMessage('conmon: Failed to open log file'), undefined);
});

test('reports come in order, however they were cut', async (t) => {
  const stream = new PassThrough();
  const pipe = new SyncPipe(stream);
  const first = pipe.next();
  for (const piece of ['{"da', 'ta": 1}\n{"data": 2', '}\n{"data": 3}']) stream.write(piece);
  t.is((await first)?.data, 1);
  t.is((await pipe.next())?.data, 2);
  const last = pipe.next();
  stream.end();
  t.is((await last)?.data, 3);
  t.is(await pipe.next(), undefined);
});

test('what a monitor prints before it exits is kept', async (t) => {
  const stream = new PassThrough();
  const pipe = new SyncPipe(stream);
  stream.end('[conmon:e]: Runtime path /x is not valid\n');
  t.is(await pipe.next(), undefined);
  t.is(pipe.printed, '[conmon:e]: Runtime path /x is not valid');
});

test('closing ends the wait', async (t) => {
  const pipe = new SyncPipe(new PassThrough());
  const next = pipe.next();
  pipe.close();
  t.is(await next, undefined);
});
