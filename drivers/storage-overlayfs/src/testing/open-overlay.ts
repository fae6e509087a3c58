import archive from '@gantry/archive-worker-threads';
import { type Opened, openDriver } from '@gantry/conformance';
import type { StorageDriver } from '@gantry/core/contracts';
import overlayfs from '../index.js';

/** Opens the driver with what it requires. @param root see `OpenOptions`. */
export const openOverlay = (root?: string): Promise<Opened<StorageDriver>> =>
  openDriver(overlayfs, { requires: [archive], ...(root !== undefined && { root }) });
