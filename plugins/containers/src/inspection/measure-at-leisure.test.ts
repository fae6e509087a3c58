import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import type { Container } from '../container.js';
import type { ContainerRecord } from '../record.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { MeasureAtLeisure } from './measure-at-leisure.js';

function fixture() {
  const records = ['one', 'two', 'three'].map((name) => recordWith({ name }));
  const measured: string[] = [];
  const unmeasured = new Set<ContainerRecord>(records);
  const lifetime = { isReleased: false };
  const clock = { time: 0n, now: () => clock.time };
  const sizes = {
    isUnmeasured: (record: ContainerRecord) => unmeasured.has(record),
    measure: async (record: ContainerRecord) => {
      measured.push(record.name);
      unmeasured.delete(record);
      return { writable: 0, rootfs: 0 };
    },
  };
  const store = { all: () => (records.map((record) => ({ record })) as unknown as Container[]).values() };
  return {
    clock,
    lifetime,
    measured,
    sizes,
    unmeasured,
    records,
    measureAtLeisure: new MeasureAtLeisure(store, sizes, clock, lifetime, silentLogger),
  };
}

test('containers that were not measured are measured once', async (t) => {
  const { measured, measureAtLeisure, records, unmeasured } = fixture();
  unmeasured.delete(records[1] as ContainerRecord);
  await measureAtLeisure.measure();
  await measureAtLeisure.measure();
  t.deepEqual(measured, ['one', 'three']);
});

test('one that cannot be measured does not keep the others from it', async (t) => {
  const { measured, measureAtLeisure, sizes } = fixture();
  const { measure } = sizes;
  sizes.measure = async (record) => {
    if (record.name === 'one') throw new Error('removed');
    return measure(record);
  };
  await measureAtLeisure.measure();
  t.deepEqual(measured, ['two', 'three']);
});

test('an engine that stops is not kept from it', async (t) => {
  const { lifetime, measured, measureAtLeisure, sizes } = fixture();
  const { measure } = sizes;
  sizes.measure = (record) => {
    lifetime.isReleased = true;
    return measure(record);
  };
  await measureAtLeisure.measure();
  t.deepEqual(measured, ['one']);
});

test('after ten seconds the others wait until the engine is idle again', async (t) => {
  const { clock, measured, measureAtLeisure, sizes } = fixture();
  const { measure } = sizes;
  sizes.measure = (record) => {
    clock.time += 5_000_000_000n;
    return measure(record);
  };
  await measureAtLeisure.measure();
  t.deepEqual(measured, ['one', 'two']);
  await measureAtLeisure.measure();
  t.deepEqual(measured, ['one', 'two', 'three']);
});
