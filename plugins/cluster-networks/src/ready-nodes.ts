import { eachChange, nodes } from '@gantry/cluster/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';

/** A node of the swarm that is ready, or whose manager does not know yet whether it is down. */
interface ReadyNode {
  readonly id: string;
  /** Of its traffic with other nodes. */
  readonly address: string;
}

/** What has changed since the message before; the first one has all nodes. */
export interface NodesMessage {
  readonly ready: readonly ReadyNode[];
  readonly gone: readonly string[];
}

/** The nodes that are ready, and each change, until the signal aborts. */
export async function* readyNodes(store: ClusterStore, signal: AbortSignal): AsyncGenerator<NodesMessage> {
  const sent = new Map<string, string>();
  let isFirst = true;
  for await (const _change of eachChange({ store, signal }, [nodes])) {
    const message = changeSince(sent, store);
    if (!isFirst && message.ready.length + message.gone.length === 0) continue;
    isFirst = false;
    yield message;
  }
}

/** @param sent addresses by id, which is brought up to date. */
function changeSince(sent: Map<string, string>, store: ClusterStore): NodesMessage {
  const present = new Map<string, string>();
  for (const { id, value } of store.list(nodes)) {
    if (['ready', 'unknown'].includes(value.status.state)) present.set(id, value.dataPath ?? value.status.address);
  }
  const ready = [...present].flatMap(([id, address]) => (sent.get(id) === address ? [] : [{ id, address }]));
  const gone = [...sent.keys()].filter((id) => !present.has(id));
  for (const { address, id } of ready) sent.set(id, address);
  for (const id of gone) sent.delete(id);
  return { ready, gone };
}

/** @throws EngineError `internal` for what is not such a message. */
export function parseNodes(message: unknown): NodesMessage {
  if (!isRecord(message) || !Array.isArray(message.ready) || !Array.isArray(message.gone)) {
    throw internal('a message with the nodes of the swarm cannot be read');
  }
  return message as unknown as NodesMessage;
}
