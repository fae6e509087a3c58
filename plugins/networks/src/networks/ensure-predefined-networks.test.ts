import { driverSet } from '@gantry/conformance';
import { NetworkDrivers } from '@gantry/core/contracts';
import { type EngineError, invalidArgument, unavailable } from '@gantry/core/errors';
import test from 'ava';
import type { NetworkStore } from '../store/network-store.js';
import { FakeNetwork } from '../testing/fake-network.js';
import { EnsurePredefinedNetworks } from './ensure-predefined-networks.js';
import type { SetUpNetwork } from './set-up-network.js';

function ensureFailing(error: EngineError, bridgeSubnet?: string): Promise<void> {
  const config = { fallbackNameServers: [], ...(bridgeSubnet !== undefined && { bridgeSubnet }) };
  const store = { byName: () => [] } as Partial<NetworkStore> as NetworkStore;
  const setUp = { setUp: () => Promise.reject(error) } as Partial<SetUpNetwork> as SetUpNetwork;
  const drivers = driverSet(NetworkDrivers, { bridge: new FakeNetwork() });
  return new EnsurePredefinedNetworks(config, store, drivers, setUp).ensure();
}

test('an invalid subnet of the network bridge is refused with its key', async (t) => {
  t.like(await t.throwsAsync(ensureFailing(invalidArgument('invalid subnet x'), 'x')), {
    kind: 'invalid-argument',
    message: 'config.plugins["networks"].bridgeSubnet: invalid subnet x',
  });
});

test('where no subnet is free, the key that sets one is named', async (t) => {
  t.like(await t.throwsAsync(ensureFailing(unavailable('no free pool'))), {
    kind: 'unavailable',
    message: 'no free pool; set config.plugins["networks"].bridgeSubnet to a subnet that is free on this host',
  });
});
