import { isIP } from 'node:net';
import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { NodeRole } from '@gantry/lib-cluster-protocol';
import type { NodeDescription } from '../records/node-kind.js';
import type { RemoteManager } from '../records/remote-managers.js';

export const sessionPath = '/session';
export const heartbeatPath = '/heartbeat';
export const leavePath = '/leave';

/** With what a node begins a session, and what it repeats when its description changes. */
export interface SessionMessage {
  readonly description: NodeDescription;
  /** Where the node is reached, and its tunnels are: without a port. */
  readonly address: string;
  readonly dataPath: string;
  /** As in the record of the node; absent: it does not. `unknown` leaves the record as it is. */
  readonly keepsClientAddresses?: boolean | 'unknown';
  /** Of a manager: where other managers reach it, `address:port`. */
  readonly managerAddress?: string;
}

/** What a manager that does not lead says of the swarm. */
export interface SwarmSummary {
  readonly nodes: number;
  readonly managers: number;
  readonly reachableManagers: number;
  /** The node that hears it has its member of the store, or is about to. */
  readonly isMember: boolean;
  /** With which managers lock themselves; absent: they do not. */
  readonly unlockKey?: string;
  /** `Cluster` of `info`. */
  readonly cluster: Readonly<Record<string, unknown>>;
}

/** What a node hears with every heartbeat. */
export interface HeartbeatAnswer {
  /** False: the node has to begin a session, for the leader is a new one or had given it up. */
  readonly isKnown: boolean;
  /** Milliseconds until the next heartbeat. */
  readonly period: number;
  readonly managers: readonly RemoteManager[];
  /** Public key of the root that certificates are issued by. */
  readonly issuer: string;
  /** Fingerprint of the root that nodes trust. */
  readonly trust: string;
  /** The role that the node has from now on. */
  readonly role: NodeRole;
  /** For managers. */
  readonly swarm?: SwarmSummary;
}

/** @throws EngineError `invalid-argument` for what is not such a message. */
export function parseSessionMessage(body: unknown): SessionMessage {
  if (!isRecord(body) || !isRecord(body.description) || typeof body.description.Hostname !== 'string') {
    throw invalidArgument('the description of the node is missing');
  }
  for (const field of ['address', 'dataPath'] as const) {
    if (isIP(String(body[field])) === 0) throw invalidArgument(`${field}: "${body[field]}" is not an IP address`);
  }
  if (body.managerAddress !== undefined && !/:\d+$/.test(String(body.managerAddress))) {
    throw invalidArgument('the address of the manager has no port');
  }
  const { keepsClientAddresses: kept } = body;
  if (kept !== undefined && kept !== 'unknown' && typeof kept !== 'boolean') {
    throw invalidArgument(`keepsClientAddresses: "${kept}" is neither true nor false`);
  }
  return body as unknown as SessionMessage;
}
