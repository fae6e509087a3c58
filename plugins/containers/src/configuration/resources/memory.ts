import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig } from '../../schema.js';
import { checkRange, type HostConfigCheck, without } from '../../validation/host-config-check.js';

/** The kernel needs a little to run anything at all. */
const smallest = 6 * 2 ** 20;

/** Memory, MemorySwap, MemoryReservation, MemorySwappiness, KernelMemory and OomKillDisable. */
export const checkMemory: HostConfigCheck = (given, checks) => {
  const wish = given.MemorySwappiness === -1 ? without(given, 'MemorySwappiness') : given;
  checkNumbers(wish);
  return withoutUnsupported(wish, checks);
};

function checkNumbers(wish: HostConfig): void {
  const { Memory = 0, MemorySwap = 0, MemoryReservation = 0, MemorySwappiness, KernelMemory = 0 } = wish;
  if (Memory !== 0 && Memory < smallest) throw invalidArgument('Minimum memory limit allowed is 6MB');
  checkRange('MemorySwap', MemorySwap, -1, Number.MAX_SAFE_INTEGER);
  if (Memory > 0 && MemorySwap > 0 && MemorySwap < Memory) {
    throw invalidArgument('Minimum memoryswap limit should be larger than memory limit, see usage');
  }
  if (Memory === 0 && MemorySwap > 0) {
    throw invalidArgument('You should always set the Memory limit when using Memoryswap limit, see usage');
  }
  if (MemorySwappiness !== undefined && (MemorySwappiness < 0 || MemorySwappiness > 100)) {
    throw invalidArgument(`Invalid value: ${MemorySwappiness}, valid memory swappiness range is 0-100`);
  }
  if (MemoryReservation !== 0 && MemoryReservation < smallest) {
    throw invalidArgument('Minimum memory reservation allowed is 6MB');
  }
  if (Memory > 0 && MemoryReservation > Memory) {
    throw invalidArgument('Minimum memory limit can not be less than memory reservation limit, see usage');
  }
  if (KernelMemory !== 0 && KernelMemory < smallest) {
    throw invalidArgument('Minimum kernel memory limit allowed is 6MB');
  }
}

/** A limit this host cannot set is left out, and said. */
const withoutUnsupported: HostConfigCheck = (given, { host: { limits }, warn }) => {
  let wish = given;
  if (wish.KernelMemory) {
    warn(
      'Your kernel does not support kernel memory limit capabilities or the cgroup is not mounted. ' +
        'Limitation discarded.',
    );
    wish = without(wish, 'KernelMemory');
  }
  if (wish.Memory && !limits.memory) {
    warn('Your kernel does not support memory limit capabilities or the cgroup is not mounted. Limitation discarded.');
    wish = without(wish, 'Memory', 'MemorySwap');
  }
  if (wish.Memory && !limits.swap && wish.MemorySwap !== -1) {
    warn(
      'Your kernel does not support swap limit capabilities or the cgroup is not mounted. Memory limited without swap.',
    );
    wish = { ...wish, MemorySwap: -1 };
  }
  if (wish.MemorySwappiness !== undefined && !limits.swappiness) {
    warn(
      'Your kernel does not support memory swappiness capabilities or the cgroup is not mounted. ' +
        'Memory swappiness discarded.',
    );
    wish = without(wish, 'MemorySwappiness');
  }
  if (wish.MemoryReservation && !limits.memoryReservation) {
    warn(
      'Your kernel does not support memory soft limit capabilities or the cgroup is not mounted. ' +
        'Limitation discarded.',
    );
    wish = without(wish, 'MemoryReservation');
  }
  if (wish.OomKillDisable && !limits.oomKillDisable) {
    warn('Your kernel does not support OomKillDisable. OomKillDisable discarded.');
    wish = without(wish, 'OomKillDisable');
  }
  if (wish.OomKillDisable && !wish.Memory) {
    warn(
      'OOM killer is disabled for the container, but no memory limit is set, ' +
        'this can result in the system running out of resources.',
    );
  }
  return wish;
};

/** Without a limit of its own for swap, a container may swap as much as it may have memory. */
export const defaultSwap: HostConfigCheck = (wish) =>
  wish.Memory && !wish.MemorySwap ? { ...wish, MemorySwap: wish.Memory * 2 } : wish;
