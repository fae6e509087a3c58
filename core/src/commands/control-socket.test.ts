import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { askDaemon, serveControl } from './control-socket.js';

test('a client that leaves before the answer has ended ends only its own command', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-control-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  let yielded = 0;
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const end = await serveControl(directory, async function* ({ command }) {
    if (command === 'short') return yield { line: 'answered' };
    try {
      for (;;) {
        yielded += 1;
        yield { line: 'x'.repeat(1000) };
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      hasEnded();
    }
  });
  t.teardown(end);
  const socket = createConnection(join(directory, 'control.sock'));
  socket.write('{"command":"long"}\n');
  await once(socket, 'data');
  socket.destroy();
  await ended;
  t.true(yielded > 0);
  const answers: object[] = [];
  for await (const answer of askDaemon(directory, { command: 'short' })) answers.push(answer);
  t.deepEqual(answers, [{ line: 'answered' }]);
});
