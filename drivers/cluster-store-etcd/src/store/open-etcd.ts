import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterStore, ClusterStoreCapabilities } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { Mirror } from '@gantry/lib-cluster-store';
import type { EtcdProcess } from '../process/etcd-process.js';
import { EtcdClient } from '../rpc/etcd-client.js';
import { EtcdMembers, memberIdOf } from './etcd-members.js';
import { EtcdStore } from './etcd-store.js';
import { LeaderEpoch } from './leader-epoch.js';
import { loadRecords } from './load-records.js';
import { MirrorFeed } from './mirror-feed.js';
import { Space } from './space.js';

/** How long etcd may take until it decides. */
const startLimit = 30_000;
const defragmentInterval = 600_000;

export interface OpenEtcdOptions {
  readonly id: string;
  readonly etcd: EtcdProcess;
  readonly capabilities: ClusterStoreCapabilities;
  readonly log: Logger;
  readonly signal: AbortSignal | undefined;
}

/** A store that works, and what ends it. */
export interface OpenedEtcd {
  readonly store: ClusterStore;
  close(): Promise<void>;
}

/** Connects to an etcd that is being started, and reads all records. Rejects `unavailable` when it does not become ready. */
export async function openEtcd({ id, etcd, capabilities, log, signal }: OpenEtcdOptions): Promise<OpenedEtcd> {
  const client = new EtcdClient(etcd.socket);
  const end = new AbortController();
  setMaxListeners(0, end.signal); // every call in progress listens
  const starting = AbortSignal.any([end.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const memberId = await untilReady(client, etcd, starting);
    const leadership = await LeaderEpoch.take(client, starting);
    const { records, revision } = await loadRecords(client, starting);
    const mirror = new Mirror(records, revision, capabilities.history, end.signal);
    const feed = new MirrorFeed(client, mirror, log, end.signal).run();
    const space = new Space(client, log);
    const timer = setInterval(() => {
      space
        .defragment()
        .catch((err: unknown) => log.warn({ event: 'etcd.not-defragmented', err }, 'failed to defragment etcd'));
    }, defragmentInterval).unref();
    const members = new EtcdMembers(client);
    const parts = { id, memberId, client, mirror, space, leadership, members, closed: end.signal };
    return {
      store: new EtcdStore(parts, capabilities),
      async close() {
        clearInterval(timer);
        end.abort();
        await feed;
        client.close();
      },
    };
  } catch (error) {
    end.abort();
    client.close();
    throw error;
  }
}

/** The id of the member, once it has a leader. */
async function untilReady(client: EtcdClient, etcd: EtcdProcess, signal: AbortSignal): Promise<string> {
  const deadline = Date.now() + startLimit;
  for (;;) {
    signal.throwIfAborted();
    const status = await client.status({ signal, limit: startLimit }).catch((cause: unknown) => {
      const output = etcd.lastOutput === '' ? '' : `: ${etcd.lastOutput}`;
      throw unavailable(`etcd did not become ready${output}`, { cause });
    });
    if (status.leader !== '0') return memberIdOf(status.header.memberId);
    if (Date.now() > deadline) throw unavailable('etcd has no leader');
    await delay(20, undefined, { signal });
  }
}
