import { unavailable } from '@gantry/core/errors';
import type { EtcdProcess } from '../process/etcd-process.js';
import { EtcdClient } from '../rpc/etcd-client.js';
import { memberIdOf } from './etcd-members.js';

/** How long etcd may take until it answers. */
const startLimit = 30_000;

/** Resolves when an etcd that is being started answers. Rejects `unavailable` when it does not. */
export async function untilAnswering(etcd: EtcdProcess, signal: AbortSignal): Promise<void> {
  const client = new EtcdClient(etcd.socket, startLimit);
  try {
    await idOfMember(client, etcd, signal);
  } finally {
    client.close();
  }
}

/** The id of the member, once its etcd answers. */
export async function idOfMember(
  client: Pick<EtcdClient, 'status'>,
  etcd: EtcdProcess,
  signal: AbortSignal,
): Promise<string> {
  const { header } = await client.status({ signal, limit: startLimit }).catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    const output = etcd.lastOutput === '' ? '' : `: ${etcd.lastOutput}`;
    throw unavailable(`etcd did not become ready${output}`, { cause });
  });
  return memberIdOf(header.memberId);
}
