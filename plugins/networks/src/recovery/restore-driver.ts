import type { NetworkDriver, SandboxDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { toSpec } from '../addresses/address-pools.js';
import type { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

/** Where networks and the sandboxes of containers are known. */
interface RestoreSources {
  readonly store: NetworkStore;
  readonly sandboxes: DriverSet<SandboxDriver>;
}

/** Has a driver that has just started restore its networks, and those of the endpoints that are on them. */
export async function restoreDriver(
  id: string,
  driver: NetworkDriver,
  endpoints: readonly EndpointRecord[],
  { store, sandboxes }: RestoreSources,
): Promise<void> {
  const networks = [...store.ownNetworks()].filter(
    ({ driver: ownDriver, configuration }) => ownDriver === id && configuration === undefined,
  );
  const networkIds = new Set(networks.map((network) => network.id));
  const restored = [];
  for (const { containerId, joined, networkId, request } of endpoints) {
    if (joined === undefined || !networkIds.has(networkId)) continue;
    const sandboxDriver = sandboxes.get();
    const sandbox = driver.capabilities.hostStack ? sandboxDriver.host : await sandboxDriver.get(containerId);
    if (sandbox !== undefined) restored.push({ request: { ...request, sandbox }, joined });
  }
  await driver.restore(networks.map(toSpec), restored);
}
