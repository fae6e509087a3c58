import { driverSet, openDriver } from '@gantry/conformance';
import { type ClusterStore, type ClusterStoreDriver, ClusterStoreDrivers } from '@gantry/core/contracts';
import { inject, injectable, silentLogger } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { clusterStore } from '@gantry/memory-drivers';
import { eventually, startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import type { ManagerTransport } from '../connections/manager-transport.js';
import type { LocalMemberFile } from '../membership/local-member-file.js';
import { ManagerStore } from '../membership/manager-store.js';
import { ClusterInfo, ClusterService } from '../service.js';
import { clusterPackages, newInitBody } from '../testing/start-cluster.js';
import { claimFormat, recordFormat } from './record-format.js';

async function emptyStore(t: ExecutionContext): Promise<{ store: ClusterStore; driver: ClusterStoreDriver }> {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  return { store: await driver.create({ name: 'm1' }), driver };
}

test('the format of the newest engine that has led is kept, and written once', async (t) => {
  const { store } = await emptyStore(t);
  await claimFormat(store, 3);
  const { revision } = store;
  await claimFormat(store, 3);
  t.is(store.revision, revision, 'nothing was written again');
  await claimFormat(store, 4);
  t.true(store.revision > revision);
  await t.throwsAsync(claimFormat(store, 3), {
    message: /^the records of the swarm have format 4, and this engine knows up to 3/,
  });
  await t.notThrowsAsync(claimFormat(store, 4), 'the refused engine has changed nothing');
});

/** The swarm as `GET /info` shows it, and as an engine of tomorrow leads it. */
function swarmUser() {
  const seen: { info?: ClusterInfo } = {};

  @injectable()
  class SwarmUser {
    constructor(
      @inject(ClusterService.token) private readonly cluster: ClusterService,
      @inject(ClusterInfo.token) info: ClusterInfo,
    ) {
      seen.info = info;
    }

    async start(): Promise<void> {
      this.cluster.whileManager(({ store }) => claimFormat(store, recordFormat + 1));
    }
  }

  const plugin = definePlugin({
    id: 'swarm-user',
    requires: [ClusterService, ClusterInfo],
    configSchema: Type.Object({}),
    setup: () => SwarmUser,
  });
  return { seen, plugin };
}

test('an engine older than the records of its swarm does not lead, and says so', async (t) => {
  const { plugin, seen } = swarmUser();
  const engine = await startEngine(t, [...clusterPackages, plugin]);
  t.is((await engine.ask('POST', '/swarm/init', { body: newInitBody() })).status, 200);
  await engine.restart();
  const state = await eventually('the swarm is in error', async () => {
    const { LocalNodeState, Error: error } = (await seen.info?.describe()) ?? {};
    return LocalNodeState === 'error' && String(error);
  });
  t.regex(state, /^the records of the swarm have format 2, and this engine knows up to 1: a newer engine has led/);
});

test('it lets another manager lead', async (t) => {
  const { driver, store } = await emptyStore(t);
  await claimFormat(store, recordFormat + 1);
  const transferred: string[] = [];
  store.members.list = async () => [
    { id: store.memberId, name: 'm1', role: 'voter' },
    { id: 'other', name: 'm2', role: 'voter' },
    { id: 'learner', name: 'm3', role: 'learner' },
  ];
  const end = new AbortController();
  store.members.transferLeadership = async (id) => {
    transferred.push(id);
    end.abort();
  };
  const transport = { announce: () => undefined } as unknown as ManagerTransport;
  const managers = new ManagerStore(
    driverSet(ClusterStoreDrivers, { memory: driver }),
    transport,
    {} as LocalMemberFile,
    silentLogger,
  );
  t.is(await managers.open({ signal: end.signal, onFailure: () => undefined }), undefined);
  t.deepEqual(transferred, ['other']);
});
