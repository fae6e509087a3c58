import type { LogRecord } from '@gantry/core/contracts';
import { frames } from '@gantry/core/streams';
import test from 'ava';
import { LogFormat } from './log-format.js';

const record = (text: string, more: Partial<LogRecord> = {}): LogRecord => ({
  stream: 'stdout',
  time: 1_700_000_000_000_000_005n,
  line: Buffer.from(text),
  partial: false,
  ...more,
});
const page = (...records: LogRecord[]) => ({ records: () => records });
const plain = { raw: true, timestamps: false, details: false };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('lines become frames of their streams, or raw bytes', (t) => {
  const records = page(record('a'), record('b', { stream: 'stderr' }));
  const expected = frames([
    { stream: 'stdout', data: Buffer.from('a\n') },
    { stream: 'stderr', data: Buffer.from('b\n') },
  ]);
  t.deepEqual(Buffer.from(new LogFormat({ ...plain, raw: false }).bytes(records)), expected);
  t.is(text(new LogFormat(plain).bytes(records)), 'a\nb\n');
});

test('frames of the driver are used unless lines get a prefix', (t) => {
  const ready = { ...page(record('a')), frames: () => Buffer.from('ready') };
  t.is(text(new LogFormat({ ...plain, raw: false }).bytes(ready)), 'ready');
  t.not(text(new LogFormat({ ...plain, raw: false, timestamps: true }).bytes(ready)), 'ready');
});

test('the time precedes a line once, however many parts it has', (t) => {
  const format = new LogFormat({ ...plain, timestamps: true });
  const bytes = [record('a', { partial: true }), record('x', { stream: 'stderr' }), record('b')].map((part) =>
    text(format.bytes(page(part))),
  );
  const time = '2023-11-14T22:13:20.000000005Z';
  t.deepEqual(bytes, [`${time} a`, `${time} x\n`, 'b\n']);
});

test('details are sorted and escaped', (t) => {
  const format = new LogFormat({ ...plain, details: true });
  t.is(text(format.bytes(page(record('x', { attributes: { b: '1,2', a: 'y' } })))), 'a=y,b=1%2C2 x\n');
  t.is(text(format.bytes(page(record('x')))), ' x\n');
});
