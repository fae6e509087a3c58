import type { EtcdClient } from '../rpc/etcd-client.js';

/** Frees what only versions before a revision take, in the file of this member, and lets etcd write again. */
export async function reclaimSpace(
  client: Pick<EtcdClient, 'compact' | 'defragment' | 'disarmSpaceAlarm'>,
  revision: number,
): Promise<void> {
  await compact(client, revision);
  await client.defragment();
  await client.disarmSpaceAlarm();
}

/** etcd refuses a revision that was compacted before, by this member or by another one: there is nothing to free. */
export async function compact(client: Pick<EtcdClient, 'compact'>, revision: number): Promise<void> {
  try {
    await client.compact(revision);
  } catch (error) {
    if (!/has been compacted/.test(String(error))) throw error;
  }
}
