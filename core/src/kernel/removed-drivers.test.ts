import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { DriverSkipped } from '../errors/engine-error.js';
import { type DriverDefinition, defineDriver } from './definitions/driver.js';
import { definePlugin } from './definitions/plugin.js';
import { Kernel, type KernelOptions } from './kernel.js';
import { driverPoint } from './points/driver-point.js';

const Bells = driverPoint<object>('bell', '1.0');
const nothing = Type.Object({});

const bell = (id: string, more: Partial<DriverDefinition<object>> = {}): DriverDefinition<object> =>
  defineDriver({ id, provides: Bells, configSchema: nothing, create: () => ({}), ...more }) as never;

async function kernelWith(
  t: ExecutionContext,
  use: NonNullable<KernelOptions['use']>,
  previousDrivers: readonly string[],
): Promise<Kernel> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-kernel-'));
  const config = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const kernel = new Kernel({ config, use, previousDrivers });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return kernel;
}

test('the kernel does not start without a driver in use that the configuration had before', async (t) => {
  const ringer = definePlugin({
    id: 'ringer',
    configSchema: nothing,
    setup: () => ({
      driversInUse: () => [
        { driver: 'bell/small', user: 'the bell of tower a' },
        { driver: 'bell/big', user: 'the bell of tower b' },
      ],
    }),
  });
  const skipped = bell('small', {
    create: () => {
      throw new DriverSkipped('it is broken');
    },
  });
  const previous = ['bell/small', 'bell/big', 'bell/unused'];
  const refused = await kernelWith(t, [bell('small'), ringer], previous);
  const message =
    'the configuration lost drivers that are in use: bell/big, by the bell of tower b; ' +
    'add their packages again, and remove what uses them first';
  await t.throwsAsync(refused.start(), { message });
  // Configured, or not known from before, such as an external plugin.
  for (const use of [[skipped, bell('big'), ringer], [ringer]]) {
    const kernel = await kernelWith(t, use, use.length > 1 ? previous : ['bell/unused']);
    await t.notThrowsAsync(kernel.start());
    t.deepEqual(kernel.configuredDrivers(), use.length > 1 ? ['bell/small', 'bell/big'] : []);
    await kernel.stop();
  }
});
