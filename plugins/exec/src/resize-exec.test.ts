import test from 'ava';
import { configOf, execFixture } from './testing/exec-fixture.js';

const codes = { distinctCodes: true };

const size = { height: 22, width: 55 };

test('a resize waits for a start under way, and needs a terminal that runs', async (t) => {
  const { containers, createExec, resizeExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf({ tty: true }));
  t.like(await t.throwsAsync(resizeExec.resize(exec.id, size)), { kind: 'not-found' });
  const started = startExec.start(exec.id, undefined, codes);
  const resized = resizeExec.resize(exec.id, size);
  await started;
  await resized;
  t.deepEqual(containers.processes[0]?.sizes, [size]);
  const failing = createExec.create('web', configOf({ tty: true }));
  containers.failure = new Error('no');
  const failed = startExec.start(failing.id, undefined, codes);
  const waiting = resizeExec.resize(failing.id, size);
  await t.throwsAsync(failed);
  t.like(await t.throwsAsync(waiting), { kind: 'not-found', message: `exec ${failing.id} is not running` });
});

test('a resize without a terminal changes nothing, and is no error', async (t) => {
  const { containers, createExec, resizeExec, startExec } = execFixture();
  const exec = createExec.create('web', configOf());
  await startExec.start(exec.id, undefined, codes);
  await t.notThrowsAsync(resizeExec.resize(exec.id, size));
  t.deepEqual(containers.processes[0]?.sizes, []);
});
