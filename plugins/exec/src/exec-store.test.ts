import test from 'ava';
import { configOf, execFixture } from './testing/exec-fixture.js';

const codes = { distinctCodes: true };

test('an exited instance can be inspected for five minutes', async (t) => {
  const { advance, containers, createExec, startExec, store } = execFixture();
  const exited = createExec.create('web', configOf());
  await startExec.start(exited.id, undefined, codes);
  containers.processes[0]?.end(0);
  await containers.processes[0]?.exited;
  const running = createExec.create('web', configOf());
  await startExec.start(running.id, undefined, codes);
  advance(300);
  t.is(store.get(exited.id), exited);
  advance(1);
  t.like(
    t.throws(() => store.get(exited.id)),
    { kind: 'not-found', message: `No such exec instance: ${exited.id}` },
  );
  t.is(store.get(running.id), running);
});

test('an instance that was not started is not found once its container has exited', async (t) => {
  const { createExec, startExec, store } = execFixture();
  const [waiting, started] = [createExec.create('web', configOf()), createExec.create('web', configOf())];
  await startExec.start(started.id, undefined, codes);
  store.deleteUnstarted('c2');
  t.is(store.get(waiting.id), waiting);
  store.deleteUnstarted('c1');
  t.like(
    t.throws(() => store.get(waiting.id)),
    { kind: 'not-found' },
  );
  await t.throwsAsync(startExec.start(waiting.id, undefined, codes), { message: /No such exec instance/ });
  t.is(store.get(started.id), started);
});
