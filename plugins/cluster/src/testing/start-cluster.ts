import certificateAuthority from '@gantry/certificate-authority-local';
import engineApi from '@gantry/engine-api';
import { clusterStore, log, network, volume } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import cluster from '../index.js';

/** What an engine with this package needs, its store in memory. */
export const clusterPackages = [engineApi, clusterStore, certificateAuthority, volume, network, log, cluster];

/** An engine with this package. */
export const startCluster = (t: TestOwner, config: object = {}) =>
  startEngine(t, clusterPackages, { plugins: { cluster: config } });

/** For requests that are refused before anything is listened on. */
export const initBody = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1:2377' };

let addresses = 0;

/** An init with a loopback address that no other test listens on. */
export function newInitBody(): { readonly ListenAddr: string; readonly AdvertiseAddr: string } {
  const number = (process.pid * 251 + ++addresses) % 2 ** 22;
  const address = `127.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}:2377`;
  return { ListenAddr: address, AdvertiseAddr: address };
}

/** An engine that has made a swarm, and the id of its node. */
export async function startSwarm(
  t: TestOwner,
  body: object = {},
  config: object = {},
): Promise<{ engine: Awaited<ReturnType<typeof startCluster>>; nodeId: string }> {
  const engine = await startCluster(t, config);
  const answer = await engine.ask('POST', '/swarm/init', { body: { ...newInitBody(), ...body } });
  if (answer.status !== 200) throw new Error(`the swarm was not made: ${answer.text}`);
  return { engine, nodeId: JSON.parse(answer.text) as string };
}
