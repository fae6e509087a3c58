import type { LogSources } from '@gantry/container-logs/service';
import { notImplemented } from '@gantry/core/errors';
import { frame } from '@gantry/core/streams';
import test from 'ava';
import { LabelledLines } from './labelled-lines.js';
import { TaskLogs } from './task-logs.js';

test('every line gets the label, whatever its pieces', (t) => {
  const lines = new LabelledLines({ label: 'L', timestamps: false, raw: true });
  const text = ['one\ntw', 'o\n', 'three\n']
    .map((piece) => Buffer.from(lines.push(Buffer.from(piece))).toString())
    .join('');
  t.is(text, 'L one\nL two\nL three\n');
});

test('the label stands behind the time', (t) => {
  const lines = new LabelledLines({ label: 'L', timestamps: true, raw: true });
  t.is(Buffer.from(lines.push(Buffer.from('2026-01-01T00:00:00Z text\n'))).toString(), '2026-01-01T00:00:00Z L text\n');
});

test('frames stay frames of their streams', (t) => {
  const lines = new LabelledLines({ label: 'L', timestamps: false, raw: false });
  const bytes = Buffer.concat([frame('stdout', Buffer.from('out\n')), frame('stderr', Buffer.from('err\n'))]);
  const expected = Buffer.concat([frame('stdout', Buffer.from('L out\n')), frame('stderr', Buffer.from('L err\n'))]);
  t.deepEqual(Buffer.from(lines.push(bytes)), expected);
});

test('a task whose log driver cannot be read has no lines, and ends no answer early', async (t) => {
  const read = (): never => {
    throw notImplemented('configured logging driver does not support reading');
  };
  const sources = { source: () => ({}) } as unknown as LogSources;
  const logs = new TaskLogs({ read }, sources, { find: () => 'c' });
  const task = { id: 't', name: 'web.1.t', serviceId: 's', nodeId: 'n', containerId: 'c', terminal: false };
  const request = { stdout: true, stderr: true, follow: false, signal: new AbortController().signal };
  for await (const _bytes of logs.read(task, request)) t.fail('a line');
  t.pass();
});
