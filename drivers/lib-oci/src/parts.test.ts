import test from 'ava';
import {
  capabilityName,
  capabilityNames,
  defaultCapabilities,
  kernelFileSystems,
  processCapabilities,
  readDevice,
  sharedMemory,
} from './index.js';

test('capabilities are named as the kernel does, and the default ones are those of every container', (t) => {
  t.is(capabilityName('net_admin'), 'CAP_NET_ADMIN');
  t.is(capabilityName('CAP_Kill'), 'CAP_KILL');
  t.is(defaultCapabilities.length, 14);
  t.true(defaultCapabilities.every((name) => capabilityNames.includes(name)));
  t.false(defaultCapabilities.includes('CAP_SYS_ADMIN'));
});

test('only root starts with its capabilities in effect, and none is inherited', (t) => {
  const names = ['CAP_KILL'];
  const empty = { inheritable: [], ambient: [] };
  t.deepEqual(processCapabilities(names, 0), { bounding: names, effective: names, permitted: names, ...empty });
  t.deepEqual(processCapabilities(names, 7), { bounding: names, effective: [], permitted: [], ...empty });
});

test('devices are read with their numbers, under the path they get', async (t) => {
  t.like(await readDevice('/dev/zero', '/dev/nought'), { type: 'c', path: '/dev/nought', major: 1, minor: 5 });
  await t.throwsAsync(readDevice('/dev'), { message: 'not a device node' });
  await t.throwsAsync(readDevice('/dev/gone'), { code: 'ENOENT' } as never);
});

test('shared memory has the size that is asked for, and /sys the access', (t) => {
  t.true(sharedMemory().options?.includes(`size=${64 * 2 ** 20}`));
  t.true(sharedMemory(4096).options?.includes('size=4096'));
  t.true(kernelFileSystems('rw').some(({ destination, options }) => destination === '/sys' && options?.includes('rw')));
});
