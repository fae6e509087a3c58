import test from 'ava';
import { Lifetime } from './lifetime.js';

test('releases run in the reverse order, each after the one before has finished', async (t) => {
  const order: string[] = [];
  const lifetime = new Lifetime();
  lifetime.add(() => void order.push('first'));
  lifetime.add(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('second');
  });
  await lifetime.release();
  t.deepEqual(order, ['second', 'first']);
});

test('one release that throws does not keep the others from running', async (t) => {
  let ran = false;
  const lifetime = new Lifetime();
  lifetime.add(() => {
    ran = true;
  });
  lifetime.add(() => {
    throw new Error('stuck');
  });
  const error = await t.throwsAsync(lifetime.release(), { instanceOf: AggregateError });
  t.is(error.errors[0].message, 'stuck');
  t.true(ran);
});

test('what is added after the release is released at once', async (t) => {
  const lifetime = new Lifetime();
  await lifetime.release();
  await new Promise<void>((resolve) => lifetime.add(resolve));
  t.true(lifetime.isReleased);
});

test('what was released early is not released again', async (t) => {
  let times = 0;
  const lifetime = new Lifetime();
  const early = lifetime.add(() => {
    times += 1;
  });
  await early();
  await lifetime.release();
  t.is(times, 1);
});

test('a child ends with its parent', async (t) => {
  const parent = new Lifetime();
  const child = parent.child();
  await parent.release();
  t.true(child.isReleased);
});
