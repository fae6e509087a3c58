import { StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { openVfsStorage } from './open-vfs-storage.js';

export default defineDriver({ id: 'vfs', provides: StorageDrivers, configSchema, create: openVfsStorage });
