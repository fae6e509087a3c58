import { readFile } from 'node:fs/promises';
import { capabilityNames, parseCapabilityMask } from '@gantry/lib-oci';

/** What this process could hand on at most; everything where the kernel does not tell. */
export async function readHostCapabilities(): Promise<ReadonlySet<string>> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask === undefined ? new Set(capabilityNames) : parseCapabilityMask(mask);
}
