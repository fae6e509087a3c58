import type { NetworkDriver, NetworkPeer, TunnelKey } from '@gantry/core/contracts';
import { type DriverSet, silentLogger } from '@gantry/core/driver';
import test from 'ava';
import type { SwarmNetworkState } from '../service.js';
import type { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';
import type { SwarmSources } from '../store/swarm-sources.js';
import { JoinedNetworks } from './joined-networks.js';

const tunnel = { id: 4097, port: 4790, address: '10.98.0.2' };
const record = {
  id: 'secret',
  name: 'secret',
  driver: 'overlay',
  options: {},
  pools: [],
  labels: {},
  swarm: { tunnel },
};

const nothingKnown: SwarmNetworkState = {
  ...{ revision: 0, tunnel, peers: [], names: new Map(), services: [] },
};

test('what becomes known of a network while a container joins it reaches the driver', async (t) => {
  const own = new Map<string, NetworkRecord>();
  const store = {
    network: () => record,
    resolve: () => record,
    ownNetwork: (id: string) => own.get(id),
    endpointsOn: () => ['of the container'],
    change: async ({ networks = [] }: { networks?: readonly NetworkRecord[] }) => {
      for (const network of networks) own.set(network.id, network);
    },
  } as unknown as NetworkStore;
  const calls: unknown[] = [];
  const driver = {
    validate: () => undefined,
    createNetwork: async () => undefined,
    useKeys: async (keys: readonly TunnelKey[]) => void calls.push(keys),
    peers: async (_id: string, peers: readonly NetworkPeer[], revision: number) => void calls.push([peers, revision]),
  } as unknown as NetworkDriver;
  const drivers = { lookup: async () => driver, idOf: () => 'overlay', get: () => driver };
  let state = nothingKnown;
  const joined = new JoinedNetworks(
    store,
    drivers as unknown as DriverSet<NetworkDriver>,
    { node: { stateOf: () => state } } as unknown as SwarmSources,
    silentLogger,
  );
  const peers = [
    { address: '10.0.1.2', macAddress: '02:42:0a:00:01:02', node: '10.98.0.1' },
  ] as unknown as NetworkPeer[];
  const keys = [{ id: 'a', secret: 'c2VjcmV0', sends: true }];
  await joined.hold(['secret'], async () => {
    state = { ...state, revision: 7, peers, keys };
  });
  t.deepEqual(calls, [[[], 0], keys, [peers, 7]]);
});
