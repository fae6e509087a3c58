import { DriverSkipped, EngineError } from '@gantry/core/errors';
import test from 'ava';
import { LazyCatalog } from './lazy-catalog.js';
import type { RuntimeCatalog } from './runtime-catalog.js';

test('where no runtime works, only callers that need one get the reason', async (t) => {
  let refuse = (_: Error): void => undefined;
  const catalog = new LazyCatalog(
    new Promise((_, reject) => {
      refuse = reject;
    }),
    () => undefined,
    () => Promise.reject(new DriverSkipped('asked again: broken')),
  );
  t.throws(() => catalog.current, { message: /has been probed yet/ });
  refuse(new DriverSkipped('no OCI runtime works on this host: runc: broken'));
  const error = await t.throwsAsync(catalog.ready(), { message: 'no OCI runtime works on this host: runc: broken' });
  t.true(EngineError.is(error) && error.kind === 'unavailable');
  await catalog.idle();
  t.false(catalog.isReady);
  await t.throwsAsync(catalog.ready(), { message: 'asked again: broken' });
});

test('runtimes that gave no answer are asked again by the next caller, once for all who wait', async (t) => {
  const found = {} as RuntimeCatalog;
  let reloads = 0;
  const reload = async (): Promise<RuntimeCatalog> => {
    reloads += 1;
    return found;
  };
  const catalog = new LazyCatalog(Promise.reject(new DriverSkipped('no answer')), () => undefined, reload);
  await t.throwsAsync(catalog.ready(), { message: 'no answer' });
  t.deepEqual(await Promise.all([catalog.ready(), catalog.ready(), catalog.ready()]), [found, found, found]);
  t.is(reloads, 1);
  t.is(catalog.current, found);
});

test('probes begin on first use or on request, and a daemon that stops before does not wait', async (t) => {
  let begun = 0;
  const open = (): LazyCatalog =>
    new LazyCatalog(
      new Promise(() => undefined),
      () => void begun++,
      () => Promise.reject(new Error('not failed')),
    );
  await open().idle();
  t.is(begun, 0);
  void open().ready();
  t.is(begun, 1);
  open().begin();
  t.is(begun, 2);
});
