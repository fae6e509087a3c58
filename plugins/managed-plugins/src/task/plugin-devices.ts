import type { OciDevice, OciResources } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { readDevice } from '@gantry/lib-oci';
import type { PluginManifest } from '../manifest/parse-manifest.js';

type Rules = NonNullable<OciResources['devices']>;

interface PluginDevices {
  readonly devices: readonly OciDevice[];
  readonly rules: Rules;
}

/** Device nodes and device rules of a plugin. The runtime adds null, zero, random and the like. */
export async function pluginDevices({ linux }: Pick<PluginManifest, 'linux'>): Promise<PluginDevices> {
  const wanted = linux.devices.filter(({ path }) => path !== '');
  const devices = await Promise.all(wanted.map(({ path }) => requiredDevice(path)));
  if (linux.allowalldevices) return { devices, rules: [{ allow: true, access: 'rwm' }] };
  const own = devices.map(({ major = 0, minor = 0, type }) => ({ allow: true, type, major, minor, access: 'rwm' }));
  return { devices, rules: [{ allow: false, access: 'rwm' }, ...own] };
}

async function requiredDevice(path: string): Promise<OciDevice> {
  try {
    return await readDevice(path);
  } catch (cause) {
    throw invalidArgument(`the plugin needs the device ${path}: ${messageOf(cause)}`, { cause });
  }
}
