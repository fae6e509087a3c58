import { setImmediate as tick } from 'node:timers/promises';
import test from 'ava';
import { asOneCall, DriverHandle } from './driver-handle.js';

interface Driver {
  ask(): Promise<string>;
  check(): string;
}

const version = (name: string): Driver => ({ ask: async () => name, check: () => name });

/** A handle of the version `older`, and the driver that its users have. */
function replaceable() {
  const handle = new DriverHandle(version('older'), ['check']);
  return { handle, driver: handle.driver as Driver };
}

/** A promise, and what resolves it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('a change that has begun ends before another version takes over, and its calls do not wait', async (t) => {
  const { driver, handle } = replaceable();
  const order: string[] = [];
  const storing = gate();
  const first = asOneCall([driver], 'changing', async () => {
    order.push(await driver.ask());
    await storing.opened;
    order.push(await driver.ask(), 'stored');
  });
  handle.close();
  const idle = handle.current.idle().then(() => order.push('idle'));
  const second = asOneCall([driver], 'changing', async () => order.push(await driver.ask()));
  await tick();
  t.deepEqual(order, ['older']);
  t.is(handle.current.underWay, '1 of changing');
  storing.open();
  await Promise.all([first, idle]);
  const call = driver.ask().then((name) => order.push(`call of ${name}`));
  await tick();
  t.deepEqual(order, ['older', 'older', 'stored', 'idle']);
  handle.exchange(version('newer'));
  handle.open();
  await Promise.all([second, call]);
  t.deepEqual(order.slice(4).toSorted(), ['call of newer', 'newer']);
});

test('a change of several drivers keeps each of them, and a failure releases them', async (t) => {
  const [one, other] = [replaceable(), replaceable()];
  const storing = gate();
  const failing = asOneCall([one.driver, other.driver, one.driver], 'failing', async () => {
    await storing.opened;
    throw new Error('the disk is full');
  });
  await tick();
  t.deepEqual([one.handle.current.underWay, other.handle.current.underWay], ['1 of failing', '1 of failing']);
  storing.open();
  await t.throwsAsync(failing, { message: 'the disk is full' });
  t.deepEqual([one.handle.current.underWay, other.handle.current.underWay], ['', '']);
  const waiting = gate();
  other.handle.close();
  const change = asOneCall([one.driver, other.driver], 'changing', async () => waiting.open());
  await tick();
  t.is(one.handle.current.underWay, '1 of changing', 'it waits for the other one');
  other.handle.open();
  await Promise.all([change, waiting.opened]);
});

test('a driver that cannot be replaced takes part in changes, too', async (t) => {
  t.is(await asOneCall([version('only')], 'changing', () => 'changed'), 'changed');
});

test('a driver that has left rejects what waited, and what comes later', async (t) => {
  const { driver, handle } = replaceable();
  handle.close();
  const waiting = driver.ask();
  const change = asOneCall([driver], 'changing', () => driver.ask());
  handle.end(new Error('it has left'));
  for (const each of [waiting, change, driver.ask()]) await t.throwsAsync(each, { message: 'it has left' });
  t.throws(() => driver.check(), { message: 'it has left' });
});
