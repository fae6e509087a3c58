import { DriverSkipped, EngineError } from '@gantry/core/errors';
import test from 'ava';
import { CatalogInTime } from './catalog-in-time.js';

test('where no runtime works, whoever needs one is told why, and nobody else', async (t) => {
  let refuse = (_: Error): void => undefined;
  const catalog = new CatalogInTime(
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  t.throws(() => catalog.known, { message: /has proved yet/ });
  refuse(new DriverSkipped('no OCI runtime works on this host: runc: broken'));
  const error = await t.throwsAsync(catalog.settled(), { message: 'no OCI runtime works on this host: runc: broken' });
  t.true(EngineError.is(error) && error.kind === 'unavailable');
  await catalog.over();
  t.false(catalog.isKnown);
});
