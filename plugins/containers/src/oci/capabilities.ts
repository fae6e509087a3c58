import { readFile } from 'node:fs/promises';
import { invalidArgument } from '@gantry/core/errors';
import { capabilityName, capabilityNames, defaultCapabilities, parseCapabilityMask } from '@gantry/lib-oci';

/** What this process could hand on at most; everything where the kernel does not tell. */
export async function readHostCapabilities(): Promise<ReadonlySet<string>> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask === undefined ? new Set(capabilityNames) : parseCapabilityMask(mask);
}

/** `net_admin`, `CAP_NET_ADMIN` and `ALL`, in the kernel's spelling. @throws EngineError `invalid-argument`. */
export function parseCapability(option: string, text: string): string {
  const name = capabilityName(text);
  if (name === 'CAP_ALL') return 'ALL';
  if (!capabilityNames.includes(name)) throw invalidArgument(`${option}: unknown capability: "${text}"`);
  return name;
}

export interface CapabilityWish {
  readonly add: readonly string[];
  readonly drop: readonly string[];
  readonly privileged: boolean;
}

/**
 * The capabilities of a container, in the kernel's order. `ALL` and privilege mean all that this host can give: the
 * runtime refuses what the engine itself lacks. One that is asked for by name stays, so that its lack is not silent.
 */
export function selectCapabilities(
  { add, drop, privileged }: CapabilityWish,
  host: ReadonlySet<string>,
): readonly string[] {
  const all = capabilityNames.filter((name) => host.has(name));
  const added = add.map((text) => parseCapability('CapAdd', text));
  const dropped = new Set(drop.map((text) => parseCapability('CapDrop', text)));
  if (privileged) return all;
  const base = added.includes('ALL') ? all : dropped.has('ALL') ? [] : defaultCapabilities;
  const chosen = new Set([...base.filter((name) => !dropped.has(name)), ...added.filter((name) => name !== 'ALL')]);
  return capabilityNames.filter((name) => chosen.has(name));
}
