import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import type { Mirror, StoredRecord } from '@gantry/lib-cluster-store';
import type { EtcdClient } from '../rpc/etcd-client.js';
import type { KeyValue, WatchResponse } from '../rpc/messages.js';
import { everything, parseRecordKey } from './keys.js';
import { loadRecords, toStoredRecord } from './load-records.js';

type Change = { readonly kind: string; readonly id: string; readonly stored?: StoredRecord };

/** Brings the mirror every transaction of the store, over restarts of etcd. */
export class MirrorFeed {
  #revision: number;

  constructor(
    private readonly client: EtcdClient,
    private readonly mirror: Mirror,
    private readonly log: Logger,
    private readonly signal: AbortSignal,
  ) {
    this.#revision = mirror.revision;
  }

  /** Resolves when the signal aborts. */
  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await this.#watch();
      } catch (err) {
        if (this.signal.aborted) return;
        this.log.warn({ event: 'etcd.watch-interrupted', err }, 'the watch of the store was interrupted; resuming');
      }
      await delay(50, undefined, { signal: this.signal }).catch(() => undefined); // aborted: the loop ends
    }
  }

  /** Follows the store from the revision after the newest one that was seen. Rejects when etcd goes away. */
  async #watch(): Promise<void> {
    const stream = this.client.watch({ createRequest: { ...everything, startRevision: this.#revision + 1 } });
    const cancel = (): void => stream.cancel();
    this.signal.addEventListener('abort', cancel, { once: true });
    let compacted = false;
    stream.on('data', (response: WatchResponse) => {
      if (response.canceled) {
        compacted = response.compactRevision !== '0';
        stream.cancel();
      } else this.#apply(response);
    });
    try {
      await once(stream, 'end');
    } catch (error) {
      if (!compacted) throw error;
    } finally {
      this.signal.removeEventListener('abort', cancel);
    }
    if (compacted) await this.#reload();
  }

  /** A response has all events of each of its revisions. */
  #apply({ events }: WatchResponse): void {
    const batches = new Map<number, Change[]>();
    for (const { type, kv } of events) {
      const revision = Number(kv.modRevision);
      const changes = batches.get(revision) ?? [];
      batches.set(revision, changes);
      const change = toChange(kv, type === 1);
      if (change !== undefined) changes.push(change);
    }
    for (const [revision, changes] of batches) {
      this.#revision = revision;
      this.mirror.apply(revision, changes);
    }
  }

  /** The changes in between were compacted while etcd was away: the difference is applied as one transaction. */
  async #reload(): Promise<void> {
    const { records, revision } = await loadRecords(this.client, this.signal);
    const present = new Set(records.map(({ kind, id }) => `${kind}/${id}`));
    const deleted = [...this.mirror.keys()].filter(([kind, id]) => !present.has(`${kind}/${id}`));
    const changed = records.filter(({ id, kind, revision: newest }) => this.mirror.revisionOf(kind, id) !== newest);
    this.#revision = revision;
    this.mirror.apply(revision, [
      ...deleted.map(([kind, id]) => ({ kind, id })),
      ...changed.map((stored) => ({ kind: stored.kind, id: stored.id, stored })),
    ]);
  }
}

function toChange(kv: KeyValue, isDeleted: boolean): Change | undefined {
  const place = parseRecordKey(kv.key);
  if (place === undefined) return undefined;
  const stored = isDeleted ? undefined : toStoredRecord(kv);
  return { ...place, ...(stored && { stored }) };
}
