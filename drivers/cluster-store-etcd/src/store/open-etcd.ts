import { setMaxListeners } from 'node:events';
import type { ClusterStore, ClusterStoreCapabilities } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { Mirror } from '@gantry/lib-cluster-store';
import type { EtcdProcess } from '../process/etcd-process.js';
import { EtcdClient } from '../rpc/etcd-client.js';
import { EtcdMembers } from './etcd-members.js';
import { EtcdStore } from './etcd-store.js';
import { LeaderEpoch } from './leader-epoch.js';
import { LeaderWatch } from './leader-watch.js';
import { loadRecords } from './load-records.js';
import { MemberFile } from './member-file.js';
import { MirrorFeed } from './mirror-feed.js';
import { Space } from './space.js';
import { idOfMember } from './until-answering.js';

const maintenanceInterval = 60_000;

export interface OpenEtcdOptions {
  readonly id: string;
  readonly memberName: string;
  readonly etcd: EtcdProcess;
  /** There is no other member to lead in place of this one. */
  readonly isAlone: () => boolean;
  /** Called whenever the member is seen to be a voter. */
  readonly onVoter: () => Promise<void>;
  readonly capabilities: ClusterStoreCapabilities;
  /** Bytes of the file from which on no record is created. */
  readonly quotaBytes: number;
  /** Milliseconds that a request may take. */
  readonly callLimit: number;
  readonly log: Logger;
  readonly signal: AbortSignal | undefined;
}

/** A store that works, and what ends it. */
export interface OpenedEtcd {
  readonly store: ClusterStore;
  close(): Promise<void>;
}

/**
 * Connects to an etcd that is being started, waits until it leads, and reads all records. Rejects `unavailable` when it does
 * not answer.
 */
export async function openEtcd({
  id,
  memberName,
  etcd,
  isAlone,
  onVoter,
  capabilities,
  quotaBytes,
  callLimit,
  log,
  signal,
}: OpenEtcdOptions): Promise<OpenedEtcd> {
  const client = new EtcdClient(etcd.socket, callLimit);
  const end = new AbortController();
  setMaxListeners(0, end.signal); // every call in progress listens
  const starting = AbortSignal.any([end.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const memberId = await idOfMember(client, etcd, starting);
    const file = new MemberFile(client, log);
    const leaders = new LeaderWatch(client, isAlone, onVoter, (status) => file.review(status));
    await leaders.untilLeading(starting);
    const leadership = await LeaderEpoch.take(client, starting);
    const { records, revision } = await loadRecords(client, starting);
    const mirror = new Mirror(records, revision, capabilities.history, end.signal);
    const feed = new MirrorFeed(client, mirror, log, end.signal).run();
    const space = new Space(client, mirror, quotaBytes, log);
    const timer = setInterval(() => {
      space
        .maintain()
        .catch((err: unknown) => log.warn({ event: 'etcd.maintenance-failed', err }, 'failed to compact etcd'));
    }, maintenanceInterval).unref();
    const members = new EtcdMembers(client, { id: memberId, name: memberName });
    leadership.onChange(() => end.abort());
    const watching = leaders.untilLost(end.signal).then(() => leadership.end());
    const parts = { id, memberId, client, mirror, space, leadership, members, closed: end.signal };
    return {
      store: new EtcdStore(parts, capabilities),
      async close() {
        clearInterval(timer);
        end.abort();
        await Promise.all([feed, watching]);
        client.close();
      },
    };
  } catch (error) {
    end.abort();
    client.close();
    throw error;
  }
}
