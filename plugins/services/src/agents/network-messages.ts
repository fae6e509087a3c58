import type { NetworkTunnel } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { internal, invalidArgument } from '@gantry/core/errors';
import type { SwarmAttachment, SwarmNetwork, SwarmNetworkState } from '@gantry/networks/service';
import type { AttachedContainer, IngressState } from '../service.js';

export const networksPath = '/agent/networks';
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

type NetworksMessage = Omit<NetworksOfNode, 'states'> & {
  readonly states: readonly (readonly [id: string, state: StateMessage])[];
};

/** @throws EngineError `internal` for what is not such a message. */
export function parseNetworks(message: unknown): NetworksOfNode {
  if (!isRecord(message) || !Array.isArray(message.states) || !Array.isArray(message.attachable)) {
    throw internal('a message with networks cannot be read');
  }
  const { states, ...networks } = message as unknown as NetworksMessage;
  return {
    ...networks,
    states: new Map(states.map(([id, state]) => [id, { ...state, names: new Map(state.names) }])),
  };
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
  const isList =
    Array.isArray(body) &&
    (body as unknown[]).every(
      (each) => isRecord(each) && typeof each.networkId === 'string' && typeof each.containerId === 'string',
    );
  if (!isList) throw invalidArgument('the attached containers are not a list');
  return body as AttachedContainer[];
}
