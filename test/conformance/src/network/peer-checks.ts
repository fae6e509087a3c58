import type { NetworkPeer } from '@gantry/core/contracts';
import { atOnce, rejects } from '../expectations.js';
import type { NetworkStage } from './network-stage.js';
import type { StagedSuite } from './staged-suite.js';

const peer = (last: number): NetworkPeer => ({
  address: `10.214.0.${last}`,
  macAddress: `02:42:0a:d6:00:${last.toString(16).padStart(2, '0')}`,
  node: '127.0.0.2',
});

const setPeers = async ({ driver }: NetworkStage, id: string, peers: readonly NetworkPeer[], revision: number) =>
  driver.peers?.(id, peers, revision);

/** For drivers that connect nodes. */
export function peerChecks(suite: StagedSuite): void {
  suite.check('the peers of a network are replaced as often as they change', async (t, stage) => {
    const { id } = await stage.network({ tunnel: { id: 8001, port: 4789, address: '127.0.0.1' } });
    await setPeers(stage, id, [peer(200), peer(201)], 1);
    await atOnce(20, () => setPeers(stage, id, [peer(201), peer(202)], 2));
    await setPeers(stage, id, [], 3);
    await setPeers(stage, id, [peer(200)], 2);
    t.pass();
  });

  suite.check('a network that was not made has no peers', async (t, stage) => {
    await rejects(t, setPeers(stage, 'no such network', [peer(200)], 1), 'not-found');
  });

  suite.check('a network with a tunnel is restored after a crash', async (t, stage) => {
    const network = await stage.network({ tunnel: { id: 8002, port: 4789, address: '127.0.0.1' } });
    const endpoint = await stage.join(network);
    await stage.reopen({ crash: true });
    await stage.restore();
    await setPeers(stage, network.id, [peer(203)], 1);
    t.deepEqual(await stage.driver.join(endpoint.request), endpoint.joined);
  });

  suite.check('the number of a removed network can be used at once', async (t, stage) => {
    const tunnel = { id: 8003, port: 4789, address: '127.0.0.1' };
    await stage.removeNetwork(await stage.network({ tunnel }));
    await stage.network({ tunnel });
    t.pass();
  });
}
