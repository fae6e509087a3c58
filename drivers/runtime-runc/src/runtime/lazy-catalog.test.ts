import { DriverSkipped, EngineError } from '@gantry/core/errors';
import test from 'ava';
import { LazyCatalog } from './lazy-catalog.js';

test('where no runtime works, only callers that need one get the reason', async (t) => {
  let refuse = (_: Error): void => undefined;
  const catalog = new LazyCatalog(
    new Promise((_, reject) => {
      refuse = reject;
    }),
    () => undefined,
  );
  t.throws(() => catalog.current, { message: /has been probed yet/ });
  refuse(new DriverSkipped('no OCI runtime works on this host: runc: broken'));
  const error = await t.throwsAsync(catalog.ready(), { message: 'no OCI runtime works on this host: runc: broken' });
  t.true(EngineError.is(error) && error.kind === 'unavailable');
  await catalog.idle();
  t.false(catalog.isReady);
});

test('probes begin on first use or on request, and a daemon that stops before does not wait', async (t) => {
  let begun = 0;
  const open = (): LazyCatalog => new LazyCatalog(new Promise(() => undefined), () => void begun++);
  await open().idle();
  t.is(begun, 0);
  void open().ready();
  t.is(begun, 1);
  open().begin();
  t.is(begun, 2);
});
