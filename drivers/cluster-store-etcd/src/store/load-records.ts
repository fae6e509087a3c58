import { StoredRecord } from '@gantry/lib-cluster-store';
import type { EtcdClient } from '../rpc/etcd-client.js';
import type { KeyValue } from '../rpc/messages.js';
import { allRecords, parseRecordKey } from './keys.js';

const pageSize = 1000;

/** All records at one revision, in the order in which they were created. */
export async function loadRecords(
  client: EtcdClient,
  signal: AbortSignal,
): Promise<{ readonly records: readonly StoredRecord[]; readonly revision: number }> {
  const found: KeyValue[] = [];
  let revision = 0;
  let { key } = allRecords;
  for (let more = true; more; ) {
    const page = await client.range({ key, rangeEnd: allRecords.rangeEnd, limit: pageSize, revision }, { signal });
    if (revision === 0) revision = Number(page.header.revision);
    found.push(...page.kvs);
    more = page.more;
    key = Buffer.concat([page.kvs.at(-1)?.key ?? key, Buffer.alloc(1)]);
  }
  found.sort((one, other) => Number(one.createRevision) - Number(other.createRevision));
  return { records: found.flatMap((pair) => toStoredRecord(pair) ?? []), revision };
}

/** The record of a key and its value; undefined when the key is not of one. */
export function toStoredRecord({ key, modRevision, value }: KeyValue): StoredRecord | undefined {
  const place = parseRecordKey(key);
  return place && new StoredRecord(place.kind, place.id, Number(modRevision), value.toString());
}
