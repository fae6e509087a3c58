import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { UnconnectedNetworks } from '@gantry/lib-network/unconnected';
import { Type } from '@sinclair/typebox';

/** Containers in the host's own network stack: there is nothing to connect, and their ports are the host's. */
export default defineDriver({
  id: 'host',
  provides: NetworkDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new UnconnectedNetworks('host', { hostStack: true }),
});
