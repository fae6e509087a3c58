import test from 'ava';
import { containerDevices } from './container-devices.js';

test('a directory stands for the devices in it, and one without any is refused', async (t) => {
  const devicesOf = (PathOnHost: string) => containerDevices({ Devices: [{ PathOnHost, PathInContainer: '/dev/x' }] });
  const { devices } = await devicesOf('/dev/null');
  t.deepEqual(
    devices.map(({ path, type, major, minor }) => [path, type, major, minor]),
    [['/dev/x', 'c', 1, 3]],
  );
  t.true((await devicesOf('/dev')).devices.some(({ path }) => path === '/dev/x/null'));
  for (const path of ['/etc', '/etc/passwd', '/nosuch']) {
    await t.throwsAsync(devicesOf(path), {
      message: new RegExp(`^error gathering device information while adding custom device "${path}": `),
    });
  }
  await t.throwsAsync(devicesOf('/etc'), { message: /not a device node$/ });
});
