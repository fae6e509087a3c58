import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig } from '../../schema.js';
import { checkRange, type HostConfigCheck, without } from '../../validation/host-config-check.js';

/** With the limit's name at the start and at the end of a warning. */
const throttles = {
  BlkioDeviceReadBps: ['BPS Block I/O read', 'BPS read'],
  BlkioDeviceWriteBps: ['BPS Block I/O write', 'BPS write'],
  BlkioDeviceReadIOps: ['IOPS Block read', 'IOPS read'],
  BlkioDeviceWriteIOps: ['IOPS Block write', 'IOPS write'],
} as const satisfies Partial<Record<keyof HostConfig, readonly [string, string]>>;

const throttleFields = Object.keys(throttles) as (keyof typeof throttles)[];

/** BlkioWeight, BlkioWeightDevice and the four throttles. Devices are looked at when the container starts. */
export const checkBlkio: HostConfigCheck = (wish, checks) => {
  const { BlkioWeight: weight = 0, BlkioWeightDevice = [] } = wish;
  if (weight !== 0 && (weight < 10 || weight > 1000)) {
    throw invalidArgument(`BlkioWeight: ${weight}: Range of blkio weight is from 10 to 1000`);
  }
  for (const { Path = '', Weight = 0 } of BlkioWeightDevice) {
    checkDevicePath('BlkioWeightDevice', Path);
    if (Weight !== 0) checkRange(`BlkioWeightDevice: Weight of ${Path}`, Weight, 10, 1000);
  }
  for (const field of throttleFields) {
    for (const { Path = '', Rate = 0 } of wish[field] ?? []) {
      checkDevicePath(field, Path);
      checkRange(`${field}: Rate of ${Path}`, Rate, 0, Number.MAX_SAFE_INTEGER);
    }
  }
  return withoutUnsupported(wish, checks);
};

function checkDevicePath(field: string, path: string): void {
  if (!path.startsWith('/')) throw invalidArgument(`${field}: bad device path "${path}", it must be absolute`);
}

const withoutUnsupported: HostConfigCheck = (given, { host: { limits }, warn }) => {
  let wish = given;
  if (wish.BlkioWeight && !limits.blkioWeight) {
    warn('Your kernel does not support Block I/O weight or the cgroup is not mounted. Weight discarded.');
    wish = without(wish, 'BlkioWeight');
  }
  if (wish.BlkioWeightDevice?.length && !limits.blkioWeightDevice) {
    warn('Your kernel does not support Block I/O weight_device or the cgroup is not mounted. Weight-device discarded.');
    wish = without(wish, 'BlkioWeightDevice');
  }
  for (const field of throttleFields) {
    if (!wish[field]?.length || limits.blkioThrottle) continue;
    const [kind, short] = throttles[field];
    warn(
      `Your kernel does not support ${kind} limit or the cgroup is not mounted. Block I/O ${short} limit discarded.`,
    );
    wish = without(wish, field);
  }
  return wish;
};
