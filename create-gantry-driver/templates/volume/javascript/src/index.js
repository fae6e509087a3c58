import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { __Name__Volumes } from './volumes.js';

export default defineDriver({
  id: '__id__',
  provides: VolumeDrivers,
  /** The section `drivers["volume/__id__"]` of the daemon's configuration. */
  configSchema: Type.Object(
    { mode: Type.String({ default: '755', pattern: '^[0-7]{3}$', description: 'of the directory of a new volume' }) },
    { additionalProperties: false },
  ),
  create: ({ dirs, config }) => new __Name__Volumes(dirs.root, config),
});
