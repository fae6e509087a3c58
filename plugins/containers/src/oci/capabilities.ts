import { invalidArgument } from '@gantry/core/errors';
import { capabilityName, capabilityNames, defaultCapabilities } from '@gantry/lib-oci';

/** `net_admin`, `CAP_NET_ADMIN` and `ALL`, in the kernel's spelling. @throws EngineError `invalid-argument`. */
export function parseCapability(option: string, text: string): string {
  const name = capabilityName(text);
  if (name === 'CAP_ALL') return 'ALL';
  if (!capabilityNames.includes(name)) throw invalidArgument(`${option}: unknown capability: "${text}"`);
  return name;
}

interface CapabilityWish {
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
