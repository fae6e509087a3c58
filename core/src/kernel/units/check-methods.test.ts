import test from 'ava';
import * as contracts from '../../public/contracts.js';
import { type DriverPoint, driverPoint } from '../points/driver-point.js';
import { checkMethods } from './check-methods.js';

const points: readonly DriverPoint<unknown>[] = [
  contracts.ArchiveDrivers,
  contracts.IpamDrivers,
  contracts.LogDrivers,
  contracts.NetworkDrivers,
  contracts.RuntimeDrivers,
  contracts.SandboxDrivers,
  contracts.SourceDrivers,
  contracts.StateDrivers,
  contracts.StorageDrivers,
  contracts.VolumeDrivers,
];

for (const point of points) {
  test(`a ${point.kind} driver without methods is refused with their names`, (t) => {
    t.true((point.methods ?? []).length > 0);
    const error = t.throws(() => checkMethods(`${point.kind}/empty`, point, {}));
    for (const method of point.methods ?? []) t.true(error?.message.includes(method), method);
  });
}

test('a method of a group is looked for in the group', (t) => {
  interface Grouped {
    readonly group: { call(): void };
  }
  const point = driverPoint<Grouped>('grouped', '1.0', ['group.call']);
  t.notThrows(() => checkMethods('grouped/a', point, { group: { call: () => undefined } }));
  t.throws(() => checkMethods('grouped/a', point, { group: {} }), { message: /it lacks group\.call$/ });
});
