import { readFile } from 'node:fs/promises';
import { capabilityNames, parseCapabilityMask } from '@gantry/lib-oci';

/** The bounding set of this process; all capabilities where the kernel does not report it. */
export async function readHostCapabilities(): Promise<ReadonlySet<string>> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask === undefined ? new Set(capabilityNames) : parseCapabilityMask(mask);
}
