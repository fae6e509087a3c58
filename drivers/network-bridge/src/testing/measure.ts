import { openDriver } from '@gantry/conformance';
import type { JoinRequest, NetworkSpec, PortRequest, Sandbox } from '@gantry/core/contracts';
import netns from '@gantry/sandbox-netns';
import driver from '../index.js';
import { enterWorld } from './world.js';

// Prints what joining, leaving and publishing cost: node drivers/network-bridge/dist/testing/measure.js

const world = enterWorld();
const sandboxes = await openDriver(netns);
const { driver: bridge, release } = await openDriver(driver, { config: { table: 'measured' } });

const network: NetworkSpec = {
  id: 'a'.repeat(64),
  name: 'measured',
  options: {},
  internal: false,
  ipv6: false,
  pools: [{ subnet: '10.100.0.0/16', gateway: '10.100.0.1/16' }],
};
await bridge.createNetwork(network);

const rounds = 50;
let count = 0;

function request(sandbox: Sandbox, ports: readonly PortRequest[] = []): JoinRequest {
  count++;
  return {
    networkId: network.id,
    endpointId: `e${count}`,
    sandbox,
    ipv4: `10.100.${1 + (count >> 8)}.${count & 0xff}/16`,
    interfaceName: 'eth0',
    defaultRoute: true,
    ports,
  };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function print(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2).padStart(8);
  console.log(`${what.padEnd(36)} least ${at(0)}  median ${at(0.5)}  most ${at(1)} ms`);
}

async function joinAndLeave(what: string, ports: readonly PortRequest[]): Promise<void> {
  const joins: number[] = [];
  const leaves: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const endpoint = request(await sandboxes.driver.create(`s${count}`), ports);
    joins.push(await timed(() => bridge.join(endpoint)));
    leaves.push(await timed(() => bridge.leave(network.id, endpoint.endpointId)));
    await sandboxes.driver.remove(endpoint.sandbox.id);
  }
  print(`join${what}`, joins);
  print(`leave${what}`, leaves);
}

const tcp = (containerPort: number, hostPort: number): PortRequest => ({ protocol: 'tcp', containerPort, hostPort });

await joinAndLeave('', []);
await joinAndLeave(', one port', [tcp(80, 8080)]);

const eight = await Promise.all(Array.from({ length: 8 }, (_, index) => sandboxes.driver.create(`eight${index}`)));
const endpoints = eight.map((sandbox) => request(sandbox));
print('join of 8 at once', [await timed(() => Promise.all(endpoints.map((endpoint) => bridge.join(endpoint))))]);
print('leave of 8 at once', [
  await timed(() => Promise.all(endpoints.map(({ endpointId }) => bridge.leave(network.id, endpointId)))),
]);

const thousand = Array.from({ length: 1000 }, (_, index) => tcp(1 + index, 10_000 + index));
for (let round = 0; round < 3; round++) {
  const many = request(await sandboxes.driver.create(`many${round}`), thousand);
  print('join with 1,000 ports', [await timed(() => bridge.join(many))]);
  print('leave with 1,000 ports', [await timed(() => bridge.leave(network.id, many.endpointId))]);
}

await bridge.removeNetwork(network.id);
for (const id of await sandboxes.driver.list()) await sandboxes.driver.remove(id);
await release();
await sandboxes.release();
world.end();
