import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { OciDevice, OciResources } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { readDevice } from '@gantry/lib-oci';
import type { DeviceMapping, HostConfig } from '../schema.js';

type DeviceRule = NonNullable<OciResources['devices']>[number];

interface ContainerDevices {
  readonly devices: readonly OciDevice[];
  readonly rules: readonly DeviceRule[];
}

/** Below /dev these are made by the runtime or belong to one process's view. */
const notDevices = new Set([
  'console',
  'fd',
  'mqueue',
  'pts',
  'shm',
  'ptmx',
  'stdin',
  'stdout',
  'stderr',
  '.lxc',
  '.udev',
]);

const denyAll: DeviceRule = { allow: false, access: 'rwm' };
const allowAll: DeviceRule = { allow: true, access: 'rwm' };

/** What /dev/console is on a host: runtimes allow all other terminals by themselves. */
const console: DeviceRule = { allow: true, type: 'c', major: 5, minor: 1, access: 'rwm' };

/** Device nodes of a container and the rules of access. The runtime itself adds null, zero, random and the like. */
export async function containerDevices(hostConfig: HostConfig): Promise<ContainerDevices> {
  if (hostConfig.Privileged === true) return { devices: await findDevices('/dev', '/dev'), rules: [allowAll] };
  const mapped = await Promise.all((hostConfig.Devices ?? []).map(mappedDevices));
  return {
    devices: mapped.flatMap(({ devices }) => devices),
    rules: [
      denyAll,
      // Making nodes is harmless where using them is not allowed; archives are unpacked with them.
      { allow: true, type: 'c', access: 'm' },
      { allow: true, type: 'b', access: 'm' },
      console,
      ...mapped.flatMap(({ rules }) => rules),
      ...(hostConfig.DeviceCgroupRules ?? []).map(parseDeviceRule),
    ],
  };
}

/** `c 1:3 rwm`, with `*` for any number. @throws EngineError `invalid-argument` naming the rule. */
export function parseDeviceRule(text: string): DeviceRule {
  const [, type, major, minor, access] = /^([abc]) (\d+|\*):(\d+|\*) ([rwm]{1,3})$/.exec(text) ?? [];
  if (type === undefined || access === undefined) {
    throw invalidArgument(`DeviceCgroupRules: invalid device cgroup rule format: '${text}'`);
  }
  return {
    allow: true,
    type,
    access,
    ...(major !== '*' && { major: Number(major) }),
    ...(minor !== '*' && { minor: Number(minor) }),
  };
}

async function mappedDevices(mapping: DeviceMapping): Promise<ContainerDevices> {
  const source = mapping.PathOnHost ?? '';
  const target = mapping.PathInContainer || source;
  const access = mapping.CgroupPermissions || 'rwm';
  let devices: readonly OciDevice[];
  try {
    devices = (await stat(source)).isDirectory()
      ? await findDevices(source, target)
      : [await readDevice(source, target)];
    if (devices.length === 0) throw new Error('not a device node');
  } catch (error) {
    throw invalidArgument(
      `error gathering device information while adding custom device "${source}": ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  return {
    devices,
    rules: devices.map(({ type, major = 0, minor = 0 }) => ({ allow: true, type, major, minor, access })),
  };
}

async function findDevices(source: string, target: string): Promise<readonly OciDevice[]> {
  const entries = await readdir(source, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly OciDevice[]> => {
      if (notDevices.has(entry.name)) return [];
      const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
      if (entry.isDirectory()) return findDevices(from, to);
      if (!entry.isCharacterDevice() && !entry.isBlockDevice()) return [];
      return readDevice(from, to).then(
        (device) => [device],
        () => [],
      );
    }),
  );
  return found.flat();
}
