import type { OciCapabilities } from '@gantry/core/contracts';
import { parseCapabilityMask } from '@gantry/lib-linux/processes';

/** The capabilities of containers and plugins that do not request others. */
export const defaultCapabilities: readonly string[] = [...parseCapabilityMask('a80425fb')];

/** `net_admin` and `CAP_NET_ADMIN` in the kernel's spelling; does not check that the capability exists. */
export function capabilityName(text: string): string {
  const upper = text.toUpperCase();
  return upper.startsWith('CAP_') ? upper : `CAP_${upper}`;
}

/**
 * The sets of a process. Inheritable ones stay empty, or programs of other users would get them (CVE-2022-24769).
 * Without root, what is permitted would be lost at the program's start anyway.
 */
export function processCapabilities(capabilities: readonly string[], uid: number): OciCapabilities {
  const own = uid === 0 ? capabilities : [];
  return { bounding: capabilities, effective: own, permitted: own, inheritable: [], ambient: [] };
}
