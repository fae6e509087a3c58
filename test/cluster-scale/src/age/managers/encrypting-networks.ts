import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';

/**
 * Networks of a swarm that may be encrypted where the kernel cannot encrypt, which `overlay` refuses. The keys are the swarm's
 * own; nothing is connected, for tasks only run on simulated nodes.
 */
export default defineDriver({
  id: 'encrypting',
  provides: NetworkDrivers,
  configSchema: Type.Object({}),
  create: () =>
    ({
      capabilities: { scope: 'global', userDefined: true, addresses: true, publish: false, hostStack: false },
      validate: () => undefined,
      createNetwork: async () => undefined,
      removeNetwork: async () => undefined,
      leave: async () => undefined,
      restore: async () => undefined,
      join: () => Promise.reject(new Error('nothing joins networks of this driver')),
    }) as unknown as NetworkDriver,
});
