import { invalidArgument } from '@gantry/core/errors';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** Bytes. */
const defaultShmSize = 64 * 2 ** 20;

/** ShmSize; 0 is the default. */
export const checkShmSize: HostConfigCheck = (wish) => {
  const { ShmSize: size = 0 } = wish;
  if (size < 0) throw invalidArgument(`ShmSize: ${size}: SHM size can not be less than 0`);
  return { ...wish, ShmSize: size || defaultShmSize };
};
