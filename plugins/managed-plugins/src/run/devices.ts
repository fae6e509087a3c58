import { stat } from 'node:fs/promises';
import type { OciDevice, OciResources } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import type { PluginManifest } from '../manifest/manifest.js';

type Rules = NonNullable<OciResources['devices']>;

export interface PluginDevices {
  readonly devices: readonly OciDevice[];
  readonly rules: Rules;
}

/** The device nodes of a plugin, and who may use what. The runtime adds null, zero, random and their like. */
export async function pluginDevices({ linux }: Pick<PluginManifest, 'linux'>): Promise<PluginDevices> {
  const wanted = linux.devices.filter(({ path }) => path !== '');
  const devices = await Promise.all(wanted.map(({ path }) => readDevice(path)));
  if (linux.allowalldevices) return { devices, rules: [{ allow: true, access: 'rwm' }] };
  const own = devices.map(({ major = 0, minor = 0, type }) => ({ allow: true, type, major, minor, access: 'rwm' }));
  return { devices, rules: [{ allow: false, access: 'rwm' }, ...own] };
}

async function readDevice(path: string): Promise<OciDevice> {
  try {
    const status = await stat(path);
    if (!status.isCharacterDevice() && !status.isBlockDevice()) throw new Error('not a device node');
    const number = BigInt(status.rdev);
    return {
      type: status.isBlockDevice() ? 'b' : 'c',
      path,
      major: Number(((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn)),
      minor: Number((number & 0xffn) | ((number >> 12n) & ~0xffn)),
      fileMode: status.mode & 0o777,
      uid: status.uid,
      gid: status.gid,
    };
  } catch (cause) {
    throw invalidArgument(`the plugin needs the device ${path}: ${messageOf(cause)}`, { cause });
  }
}
