import test from 'ava';
import { configOf, execFixture } from './testing/exec-fixture.js';

test('an instance is created, and listed until it exits', (t) => {
  const { containers, createExec, store } = execFixture();
  const exec = createExec.create('web', configOf());
  t.regex(exec.id, /^[0-9a-f]{64}$/);
  t.deepEqual(exec.state, { status: 'created' });
  t.deepEqual(store.idsOf('c1'), [exec.id]);
  t.deepEqual(containers.published, ['exec_create: sh -c true']);
});

test('the event of a program without arguments ends in a space, as clients expect', (t) => {
  const { containers, createExec } = execFixture();
  createExec.create('web', configOf({ args: ['true'] }));
  t.deepEqual(containers.published, ['exec_create: true ']);
});

test('no command, and an absent container, are refused by name', (t) => {
  const { createExec } = execFixture();
  t.like(
    t.throws(() => createExec.create('web', configOf({ args: [] }))),
    { kind: 'invalid-argument', message: 'No exec command specified' },
  );
  t.like(
    t.throws(() => createExec.create('gone', configOf())),
    { kind: 'not-found', message: 'No such container: gone' },
  );
});
