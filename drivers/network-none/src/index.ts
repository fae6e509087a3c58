import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { UnconnectedNetworks } from '@gantry/lib-network/unconnected';
import { Type } from '@sinclair/typebox';

/** Containers with only a loopback interface. */
export default defineDriver({
  id: 'none',
  provides: NetworkDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new UnconnectedNetworks('none', { hostStack: false }),
});
