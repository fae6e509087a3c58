import type { PreparedMount } from './prepared-mount.js';

/** A new volume without a name, that takes over what the image has at its place. */
export const anonymousVolume = (destination: string, driver: string): PreparedMount => ({
  type: 'volume',
  source: '',
  destination,
  ...(driver !== '' && { driver }),
  mode: '',
  readWrite: true,
  propagation: '',
  anonymous: true,
  copyUp: true,
});
