import type { NetworkTunnel } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { internal, invalidArgument } from '@gantry/core/errors';
import type { NetworkNode, SwarmAttachment, SwarmNetwork, SwarmNetworkState } from '@gantry/networks/service';
import type { AttachedContainer, IngressState } from '../service.js';
import { type StateChange, withChange } from './state-change.js';

export const networksPath = '/agent/networks';
export const nodesPath = '/agent/networks/nodes';
export const attachPath = '/agent/attach';
export const detachPath = '/agent/detach';
export const retainPath = '/agent/retain';
export const appliedPath = '/agent/applied';
export const drainPath = '/agent/drain';

type StateMessage = Omit<SwarmNetworkState, 'names'> & {
  readonly names: readonly (readonly [name: string, addresses: readonly string[]])[];
};

/** What a node is to know of the networks of the swarm. */
export interface NetworksOfNode {
  readonly revision: number;
  /** Those that something on the node is on, by their ids. */
  readonly states: ReadonlyMap<string, SwarmNetworkState>;
  /** Those that any container may join. */
  readonly attachable: readonly AttachableNetwork[];
  readonly ingress?: IngressState | undefined;
}

interface AttachableNetwork {
  readonly network: SwarmNetwork;
  readonly tunnel: NetworkTunnel;
}

/** What a node asks for its networks with: that it takes changes of what it was sent before, over the same connection. */
export const takesChanges = { changes: true };

export const doesTakeChanges = (body: unknown): boolean => isRecord(body) && body.changes === true;

interface NetworksMessage {
  readonly revision: number;
  /** Complete ones. */
  readonly states: readonly (readonly [id: string, state: StateMessage])[];
  /** Of networks that were sent before. Without it the message is all that the node is to know. */
  readonly changes?: readonly (readonly [id: string, changes: readonly StateChange[]])[];
  /** Networks that the node is on no longer. */
  readonly removed?: readonly string[];
  /** As before when it is missing in a message with changes. */
  readonly attachable?: readonly AttachableNetwork[];
  /** As before when it is missing in a message with changes; null for none. */
  readonly ingress?: IngressState | null;
}

/**
 * What a node knows after a message.
 * @throws EngineError `internal` for what is not such a message, or changes what was not sent before.
 */
export function networksAfter(known: NetworksOfNode, message: unknown): NetworksOfNode {
  if (!isMessage(message)) throw internal('a message with networks cannot be read');
  const { attachable, changes, ingress, removed = [], revision } = message;
  const states = new Map(changes === undefined ? [] : known.states);
  for (const id of removed) states.delete(id);
  for (const [id, state] of message.states) states.set(id, { ...state, names: new Map(state.names) });
  for (const [id, list] of changes ?? []) {
    const before = states.get(id);
    if (before === undefined) throw internal(`the network ${id} was changed, and not sent before`);
    states.set(id, list.reduce(withChange, { ...before, revision }));
  }
  const isComplete = changes === undefined;
  return {
    revision,
    states,
    attachable: attachable ?? (isComplete ? [] : known.attachable),
    ingress: ingress === undefined && !isComplete ? known.ingress : (ingress ?? undefined),
  };
}

const isMessage = (message: unknown): message is NetworksMessage =>
  isRecord(message) &&
  typeof message.revision === 'number' &&
  Array.isArray(message.states) &&
  [message.changes, message.removed, message.attachable].every((list) => list === undefined || Array.isArray(list));

/** @throws EngineError `internal` for what is not such a list. */
export function parseNodes(message: unknown): readonly NetworkNode[] {
  if (!isListWith(['name', 'address'], message)) throw internal('a message with the nodes of a network cannot be read');
  return message as NetworkNode[];
}

/** @throws EngineError `invalid-argument` for what is no revision. */
export function parseRevision(body: unknown): number {
  if (typeof body !== 'number') throw invalidArgument('the applied revision is no number');
  return body;
}

/** @throws EngineError `invalid-argument` for what is not such a request. */
export function parseAttachment(body: unknown): SwarmAttachment {
  if (!isRecord(body) || !Array.isArray(body.aliases)) throw invalidArgument('the attachment has no aliases');
  for (const field of ['networkId', 'containerId', 'containerName']) {
    if (typeof body[field] !== 'string') throw invalidArgument(`the attachment has no ${field}`);
  }
  return body as unknown as SwarmAttachment;
}

/** @throws EngineError `invalid-argument` for what is not such a list. */
export function parseAttached(body: unknown): readonly AttachedContainer[] {
  if (!isListWith(['networkId', 'containerId'], body)) throw invalidArgument('the attached containers are not a list');
  return body as AttachedContainer[];
}

/** Whether it is a list of records that have these texts. */
const isListWith = (fields: readonly string[], value: unknown): boolean =>
  Array.isArray(value) &&
  (value as unknown[]).every((each) => isRecord(each) && fields.every((field) => typeof each[field] === 'string'));
