import engineApi from '@gantry/engine-api';
import { clusterStore, log, network, volume } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import cluster from '../index.js';

/** An engine with this package, its store in memory. */
export const startCluster = (t: TestOwner) => startEngine(t, [engineApi, clusterStore, volume, network, log, cluster]);

export const initBody = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1:2377' };

/** An engine that has made a swarm, and the id of its node. */
export async function startSwarm(
  t: TestOwner,
  body: object = {},
): Promise<{ engine: Awaited<ReturnType<typeof startCluster>>; nodeId: string }> {
  const engine = await startCluster(t);
  const answer = await engine.ask('POST', '/swarm/init', { body: { ...initBody, ...body } });
  if (answer.status !== 200) throw new Error(`the swarm was not made: ${answer.text}`);
  return { engine, nodeId: JSON.parse(answer.text) as string };
}
