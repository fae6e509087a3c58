import { stat } from 'node:fs/promises';
import type { OciResources, OciThrottle } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import type { CgroupLimits } from '@gantry/lib-linux/cgroups';
import { deviceNumbers } from '@gantry/lib-oci';
import type { HostConfig } from '../schema.js';

/** Microseconds. */
const defaultPeriod = 100_000;

const fewestShares = 2;

/** The limits that a running container can change too. What is not set is left out: the kernel's own value stays. */
export function limitsOf(hostConfig: HostConfig, host: CgroupLimits): OciResources {
  const { Memory, MemoryReservation, MemorySwap, MemorySwappiness, OomKillDisable, PidsLimit } = hostConfig;
  const { CpuShares, CpusetCpus, CpusetMems, BlkioWeight } = hostConfig;
  return {
    ...group('memory', {
      limit: Memory || undefined,
      reservation: MemoryReservation || undefined,
      swap: (host.swap && MemorySwap) || undefined,
      swappiness: MemorySwappiness,
      disableOOMKiller: OomKillDisable || undefined,
    }),
    ...group('cpu', {
      // OCI runtimes refuse the value that the kernel would round up.
      shares: CpuShares ? Math.max(fewestShares, CpuShares) : undefined,
      ...bandwidth(hostConfig),
      cpus: CpusetCpus || undefined,
      mems: CpusetMems || undefined,
    }),
    ...group('pids', { limit: PidsLimit || undefined }),
    ...group('blockIO', { weight: BlkioWeight || undefined }),
  };
}

function bandwidth({ CpuPeriod, CpuQuota, NanoCpus }: HostConfig): {
  readonly period: number | undefined;
  readonly quota: number | undefined;
} {
  if (!NanoCpus) return { period: CpuPeriod || undefined, quota: CpuQuota || undefined };
  return { period: defaultPeriod, quota: Math.floor((NanoCpus * defaultPeriod) / 1e9) };
}

/** A group of limits without those that are not set; no group when none is. */
function group<N extends 'memory' | 'cpu' | 'pids' | 'blockIO'>(
  name: N,
  limits: { readonly [K in keyof NonNullable<OciResources[N]>]: NonNullable<OciResources[N]>[K] | undefined },
): Pick<OciResources, N> {
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  return (set.length === 0 ? {} : { [name]: Object.fromEntries(set) }) as Pick<OciResources, N>;
}

/** The limits of a container, with the numbers its block devices have now. @throws EngineError `invalid-argument`. */
export async function resourcesOf(hostConfig: HostConfig, host: CgroupLimits): Promise<OciResources> {
  const { CpuQuota = 0 } = hostConfig;
  // A new cgroup has no quota, and crun does not write -1 to cgroups of version 1.
  const limits = limitsOf(CpuQuota < 0 ? { ...hostConfig, CpuQuota: 0 } : hostConfig, host);
  const [weightDevice, readBps, writeBps, readIops, writeIops] = await Promise.all([
    Promise.all((hostConfig.BlkioWeightDevice ?? []).map(weightOf)),
    throttles(hostConfig, 'BlkioDeviceReadBps'),
    throttles(hostConfig, 'BlkioDeviceWriteBps'),
    throttles(hostConfig, 'BlkioDeviceReadIOps'),
    throttles(hostConfig, 'BlkioDeviceWriteIOps'),
  ]);
  const blockIO = {
    ...limits.blockIO,
    ...(weightDevice.length > 0 && { weightDevice }),
    ...(readBps.length > 0 && { throttleReadBpsDevice: readBps }),
    ...(writeBps.length > 0 && { throttleWriteBpsDevice: writeBps }),
    ...(readIops.length > 0 && { throttleReadIOPSDevice: readIops }),
    ...(writeIops.length > 0 && { throttleWriteIOPSDevice: writeIops }),
  };
  return Object.keys(blockIO).length === 0 ? limits : { ...limits, blockIO };
}

type ThrottleField = 'BlkioDeviceReadBps' | 'BlkioDeviceWriteBps' | 'BlkioDeviceReadIOps' | 'BlkioDeviceWriteIOps';

const throttles = (hostConfig: HostConfig, field: ThrottleField): Promise<OciThrottle[]> =>
  Promise.all(
    (hostConfig[field] ?? []).map(async ({ Path = '', Rate: rate = 0 }) => ({
      ...(await blockDevice(field, Path)),
      rate,
    })),
  );

const weightOf = async ({ Path = '', Weight: weight = 0 }: { readonly Path?: string; readonly Weight?: number }) => ({
  ...(await blockDevice('BlkioWeightDevice', Path)),
  weight,
});

async function blockDevice(field: string, path: string): Promise<{ readonly major: number; readonly minor: number }> {
  try {
    const status = await stat(path);
    if (!status.isBlockDevice()) throw new Error('it is not a block device');
    return deviceNumbers(status.rdev);
  } catch (cause) {
    throw invalidArgument(`${field}: no such device "${path}": ${messageOf(cause)}`, { cause });
  }
}
