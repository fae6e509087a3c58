import { invalidArgument } from '@gantry/core/errors';
import { type CpuList, formatCpuList, parseCpuList } from '../../host/cpu-list.js';
import type { HostConfig } from '../../schema.js';
import { type Checks, checkRange, type HostConfigCheck, without } from '../../validation/host-config-check.js';

/** Zero is the kernel's default; the kernel itself takes 1 for 2, the fewest it has. */
const fewestShares = 0;
const mostShares = 262_144;

const periodWords = 'CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)';

/** CpuShares, CpuPeriod, CpuQuota, NanoCpus and the real-time ones. */
export const checkCpu: HostConfigCheck = (given, checks) => {
  const { CpuShares, CpuPeriod = 0, CpuQuota = 0, CpuRealtimePeriod, CpuRealtimeRuntime } = given;
  checkRange('CpuShares', CpuShares, fewestShares, mostShares);
  if (CpuPeriod !== 0 && (CpuPeriod < 1000 || CpuPeriod > 1_000_000)) throw invalidArgument(periodWords);
  if (CpuQuota !== 0 && CpuQuota !== -1 && CpuQuota < 1000) {
    throw invalidArgument('CPU cfs quota can not be less than 1ms (i.e. 1000)');
  }
  if (CpuRealtimePeriod || CpuRealtimeRuntime) {
    const field = CpuRealtimePeriod ? 'CpuRealtimePeriod' : 'CpuRealtimeRuntime';
    throw invalidArgument(
      `${field}: ${given[field]} cannot be set: real-time scheduling of containers is not supported`,
    );
  }
  checkNanoCpus(given, checks);
  return withoutUnsupported(given, checks);
};

function checkNanoCpus({ NanoCpus = 0, CpuPeriod, CpuQuota }: HostConfig, { host }: Checks): void {
  if (NanoCpus === 0) return;
  if (CpuPeriod) throw invalidArgument('Conflicting options: Nano CPUs and CPU Period cannot both be set');
  if (CpuQuota) throw invalidArgument('Conflicting options: Nano CPUs and CPU Quota cannot both be set');
  if (!host.limits.cpuQuota) {
    throw invalidArgument('NanoCpus can not be set, as the kernel does not support the CPU CFS scheduler');
  }
  const { size } = host.cpus;
  if (NanoCpus < 10_000_000 || NanoCpus > size * 1e9) {
    throw invalidArgument(`Range of CPUs is from 0.01 to ${size}.00, as there are only ${size} CPUs available`);
  }
}

const withoutUnsupported: HostConfigCheck = (given, { host: { limits }, warn }) => {
  let wish = given;
  if (wish.CpuShares && !limits.cpuShares) {
    warn('Your kernel does not support CPU shares or the cgroup is not mounted. Shares discarded.');
    wish = without(wish, 'CpuShares');
  }
  if ((wish.CpuPeriod || wish.CpuQuota) && !limits.cpuQuota) {
    warn('Your kernel does not support CPU CFS scheduler. CPU period/quota discarded.');
    wish = without(wish, 'CpuPeriod', 'CpuQuota');
  }
  return wish;
};

/** CpusetCpus and CpusetMems: only what is there. */
export const checkCpuset: HostConfigCheck = (wish, { host, warn }) => {
  const { CpusetCpus: cpus = '', CpusetMems: nodes = '' } = wish;
  if (cpus === '' && nodes === '') return wish;
  if (!host.limits.cpuset) {
    warn('Your kernel does not support cpuset or the cgroup is not mounted. Cpuset discarded.');
    return without(wish, 'CpusetCpus', 'CpusetMems');
  }
  checkList(cpus, host.cpus, 'cpus', 'CPUs');
  checkList(nodes, host.memoryNodes, 'mems', 'memory nodes');
  return wish;
};

function checkList(text: string, available: CpuList, kind: string, things: string): void {
  if (text === '') return;
  const wanted = parseCpuList(text);
  if (wanted === undefined) throw invalidArgument(`Invalid value ${text} for cpuset ${kind}`);
  if ([...wanted].some((number) => !available.has(number))) {
    throw invalidArgument(
      `Requested ${things} are not available - requested ${text}, available: ${formatCpuList(available)}`,
    );
  }
}
