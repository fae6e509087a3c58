import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { UnconnectedNetworks } from '@gantry/lib-network/unconnected';
import { Type } from '@sinclair/typebox';

/** Containers in the host's own network stack, with the host's ports. */
export default defineDriver({
  id: 'host',
  provides: NetworkDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new UnconnectedNetworks('host', { hostStack: true }),
});
