import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { RuntimeDriver, TaskStreams } from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';
import test from 'ava';
import { ContainerStreams } from './container-streams.js';

/** A connection to a task that writes nothing. */
function connection() {
  const output = new Readable({ objectMode: true, read: () => undefined }) as TaskStreams['output'];
  const task = { output, close: () => undefined } as TaskStreams;
  return { output, task };
}

test('a connection that is lost while the next one is refused concerns no client', async (t) => {
  const streams = new ContainerStreams({ openStdin: false, stdinOnce: false, tty: false });
  const first = connection();
  let refuse: (() => void) | undefined;
  const attempts = [
    () => Promise.resolve(first.task),
    () =>
      new Promise<TaskStreams>((_resolve, reject) => {
        refuse = () => reject(unavailable('the task is not there'));
      }),
  ];
  const runtime = { io: { attach: () => attempts.shift()?.() } } as unknown as RuntimeDriver;
  const client = streams.join();
  await streams.connect(runtime, 'c');
  client.leave();
  await setImmediate();
  t.false(streams.isConnected);
  const refused = streams.connect(runtime, 'c');
  first.output.destroy(new Error('lost'));
  await setImmediate();
  refuse?.();
  await t.throwsAsync(refused, { message: 'the task is not there' });
  await streams.finish();
  t.true(streams.ended.aborted);
});
