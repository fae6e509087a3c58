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

test('capabilities that the contract has are checked, and the methods that they promise', (t) => {
  const methods = Object.fromEntries((contracts.VolumeDrivers.methods ?? []).map((name) => [name, () => undefined]));
  const check = (driver: object) => checkMethods('volume/nfs', contracts.VolumeDrivers, driver);
  t.notThrows(() => check({ ...methods, capabilities: { scope: 'local', usage: false } }));
  t.throws(() => check(methods), {
    message: 'volume/nfs does not implement volume/1.0: it lacks capabilities.scope, capabilities.usage',
  });
  t.throws(() => check({ ...methods, capabilities: { scope: 'local', usage: true } }), {
    message: 'volume/nfs does not implement volume/1.0: it lacks usage, which capabilities.usage promises',
  });
});
