import type { OciResources } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { limitsOf } from '../oci/container-resources.js';
import type { ContainerRecord } from '../record.js';
import type { HostConfig, UpdateBody } from '../schema.js';
import { type Checks, without } from '../validation/host-config-check.js';
import type { PreparedUpdate } from './prepared-container.js';
import { checkBlkio } from './resources/check-blkio.js';
import { checkPids } from './resources/check-pids.js';
import { checkCpu, checkCpuset } from './resources/cpu.js';
import { checkMemory } from './resources/memory.js';
import { checkRestartPolicy, isNoPolicy } from './restart-policy.js';

/** Limits that the kernel checks against each other go to it together. */
const together: readonly (readonly (keyof HostConfig)[])[] = [
  ['Memory', 'MemorySwap'],
  ['CpuPeriod', 'CpuQuota', 'NanoCpus'],
];

/** Zero and the empty text leave a limit as it is, but PidsLimit, where zero lifts it. @throws EngineError `invalid-argument`. */
export function prepareUpdate(
  record: ContainerRecord,
  update: UpdateBody,
  checks: Omit<Checks, 'warn'>,
): PreparedUpdate {
  const { RestartPolicy, ...limits } = update;
  const before = record.hostConfig;
  const warnings: string[] = [];
  const wished = Object.fromEntries(
    Object.entries(limits).filter(([name, value]) => value || name === 'PidsLimit'),
  ) as HostConfig;
  checkAgainst(before, wished);
  let after: HostConfig = { ...before, ...wished };
  const context: Checks = { ...checks, warn: (message) => warnings.push(message) };
  for (const check of [checkMemory, checkCpu, checkCpuset, checkBlkio, checkPids]) after = check(after, context);
  if (RestartPolicy?.Name) {
    checkRestartPolicy(RestartPolicy);
    if (before.AutoRemove === true && !isNoPolicy(RestartPolicy)) {
      throw invalidArgument('Restart policy cannot be updated because AutoRemove is enabled for the container');
    }
    after = { ...after, RestartPolicy };
  }
  return { hostConfig: after, resources: changedLimits(wished, after, context), warnings };
}

/** What can only be changed together. */
function checkAgainst(before: HostConfig, wished: HostConfig): void {
  const { Memory = 0, MemorySwap, NanoCpus, CpuPeriod, CpuQuota } = wished;
  const swap = before.MemorySwap ?? 0;
  if (swap > 0 && Memory > swap && !MemorySwap) {
    throw invalidArgument(
      'Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time',
    );
  }
  const conflicts: readonly (readonly [unknown, string, unknown, string])[] = [
    [NanoCpus, 'Nano CPUs', before.CpuPeriod, 'CPU Period'],
    [NanoCpus, 'Nano CPUs', before.CpuQuota, 'CPU Quota'],
    [CpuPeriod, 'CPU Period', before.NanoCpus, 'NanoCPUs'],
    [CpuQuota, 'CPU Quota', before.NanoCpus, 'NanoCPUs'],
  ];
  for (const [wish, name, is, other] of conflicts) {
    if (wish && is) {
      throw invalidArgument(`Conflicting options: ${name} cannot be updated as ${other} has already been set`);
    }
  }
}

function changedLimits(wished: HostConfig, after: HostConfig, { host }: Checks): OciResources | undefined {
  const fields = new Set(Object.keys(wished));
  for (const names of together) {
    if (names.some((name) => fields.has(name))) for (const name of names) fields.add(name);
  }
  const unchanged = (Object.keys(after) as (keyof HostConfig)[]).filter((name) => !fields.has(name));
  const resources = limitsOf(without(after, ...unchanged), host.limits);
  const isUnlimited = fields.has('PidsLimit') && after.PidsLimit === undefined && host.limits.pids;
  const changed = isUnlimited ? { ...resources, pids: { limit: -1 } } : resources;
  return Object.keys(changed).length === 0 ? undefined : changed;
}
