import { readFile } from 'node:fs/promises';
import type { OciCapabilities } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** Kernel capabilities in the order of their numbers. */
const names = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_RESOURCE',
  'SYS_TIME',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SETFCAP',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
].map((name) => `CAP_${name}`);

/** What containers have unless they ask otherwise: the mask 0xa80425fb. */
export const defaultCapabilities: readonly string[] = namesOf(0xa80425fbn);

function namesOf(mask: bigint): readonly string[] {
  return names.filter((_name, number) => ((mask >> BigInt(number)) & 1n) === 1n);
}

/** What this process could hand on at most; everything where the kernel does not tell. */
export async function readHostCapabilities(): Promise<ReadonlySet<string>> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const mask = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return new Set(mask === undefined ? names : namesOf(BigInt(`0x${mask}`)));
}

/** `net_admin`, `CAP_NET_ADMIN` and `ALL`, in the kernel's spelling. @throws EngineError `invalid-argument`. */
export function parseCapability(option: string, text: string): string {
  const upper = text.toUpperCase();
  if (upper === 'ALL' || upper === 'CAP_ALL') return 'ALL';
  const name = upper.startsWith('CAP_') ? upper : `CAP_${upper}`;
  if (!names.includes(name)) throw invalidArgument(`${option}: unknown capability: "${text}"`);
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
  const all = names.filter((name) => host.has(name));
  const added = add.map((text) => parseCapability('CapAdd', text));
  const dropped = new Set(drop.map((text) => parseCapability('CapDrop', text)));
  if (privileged) return all;
  const base = added.includes('ALL') ? all : dropped.has('ALL') ? [] : defaultCapabilities;
  const chosen = new Set([...base.filter((name) => !dropped.has(name)), ...added.filter((name) => name !== 'ALL')]);
  return names.filter((name) => chosen.has(name));
}

/**
 * The sets of a process. Inheritable ones stay empty, or programs of other users would get them (CVE-2022-24769).
 * Without root, what is permitted would be lost at the program's start anyway.
 */
export function toCapabilitySets(capabilities: readonly string[]): OciCapabilities {
  return { bounding: capabilities, effective: capabilities, permitted: capabilities, inheritable: [], ambient: [] };
}
