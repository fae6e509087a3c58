import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { NoNetwork } from './no-network.js';

export default defineDriver({
  id: 'none',
  provides: NetworkDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new NoNetwork(),
});
