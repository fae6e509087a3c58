import { DriverSkipped, EngineError } from '@gantry/core/errors';
import test from 'ava';
import { CatalogInTime } from './catalog-in-time.js';

test('where no runtime works, whoever needs one is told why, and nobody else', async (t) => {
  let refuse = (_: Error): void => undefined;
  const catalog = new CatalogInTime(
    new Promise((_, reject) => {
      refuse = reject;
    }),
    () => undefined,
  );
  t.throws(() => catalog.known, { message: /has proved yet/ });
  refuse(new DriverSkipped('no OCI runtime works on this host: runc: broken'));
  const error = await t.throwsAsync(catalog.settled(), { message: 'no OCI runtime works on this host: runc: broken' });
  t.true(EngineError.is(error) && error.kind === 'unavailable');
  await catalog.over();
  t.false(catalog.isKnown);
});

test('runtimes prove themselves when somebody needs them or there is time, and a daemon that stops before does not wait', async (t) => {
  let begun = 0;
  const open = (): CatalogInTime => new CatalogInTime(new Promise(() => undefined), () => void begun++);
  await open().over();
  t.is(begun, 0);
  void open().settled();
  t.is(begun, 1);
  open().begin();
  t.is(begun, 2);
});
