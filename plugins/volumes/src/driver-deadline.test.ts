import test from 'ava';
import { DriverDeadline } from './driver-deadline.js';

test('a call that takes long is reported once, and is waited for', async (t) => {
  const reported: number[] = [];
  const deadline = new DriverDeadline(3000, 20);
  let report = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    report = resolve;
  });
  const call = async () => {
    await late;
    return '/mounted';
  };
  const path = await deadline.watch(call, (seconds) => {
    reported.push(seconds);
    report();
  });
  t.is(path, '/mounted');
  t.deepEqual(reported, [0.02]);
});

test('a call that settles is not reported', async (t) => {
  const deadline = new DriverDeadline(3000, 2 ** 30);
  t.is(
    await deadline.watch(
      async () => '/mounted',
      () => t.fail(),
    ),
    '/mounted',
  );
  await t.throwsAsync(
    deadline.watch(
      () => Promise.reject(new Error('the store is gone')),
      () => t.fail(),
    ),
    { message: 'the store is gone' },
  );
});
