import { invalidArgument } from '@gantry/core/errors';
import { parseCapability } from '../../oci/capabilities.js';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** CapAdd and CapDrop: known names, and nothing that this host cannot give. */
export const checkCapabilities: HostConfigCheck = (wish, { host }) => {
  for (const text of wish.CapDrop ?? []) parseCapability('CapDrop', text);
  for (const text of wish.CapAdd ?? []) {
    const name = parseCapability('CapAdd', text);
    if (name !== 'ALL' && !host.capabilities.has(name)) {
      throw invalidArgument(
        `CapAdd: capability not supported by your kernel or not available in the current environment: "${name}"`,
      );
    }
  }
  return wish;
};
