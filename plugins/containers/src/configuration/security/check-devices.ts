import { invalidArgument } from '@gantry/core/errors';
import { parseDeviceRule } from '../../oci/container-devices.js';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** Devices and DeviceCgroupRules. Whether a device is there is found out when the container starts. */
export const checkDevices: HostConfigCheck = (wish) => {
  for (const {
    PathOnHost: source = '',
    PathInContainer: target = '',
    CgroupPermissions: access = '',
  } of wish.Devices ?? []) {
    if (!source.startsWith('/')) throw invalidArgument(`Devices: PathOnHost "${source}" is not an absolute path`);
    if (target !== '' && !target.startsWith('/')) {
      throw invalidArgument(`Devices: PathInContainer "${target}" is not an absolute path`);
    }
    if (!/^[rwm]{0,3}$/.test(access)) {
      throw invalidArgument(
        `Devices: CgroupPermissions "${access}" of ${source}: invalid device mode, it takes r, w and m`,
      );
    }
  }
  for (const rule of wish.DeviceCgroupRules ?? []) parseDeviceRule(rule);
  return wish;
};
