import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { IssuedCertificate } from '../certificates/issued-certificate.js';
import type { RemoteManager } from '../records/remote-managers.js';

export const rootPath = '/root-certificate';
export const joinPath = '/join';
export const forwardedJoinPath = '/forwarded-join';
export const renewPath = '/renew';

export interface JoinMessage {
  readonly token: string;
  /** PKCS #10, PEM. */
  readonly request: string;
  readonly availability: 'active' | 'pause' | 'drain';
  /** Where the node says that it is reached, without a port; empty: where its connection comes from. */
  readonly address: string;
  readonly hostname: string;
  /** Why the node could not listen for other nodes, as managers must. */
  readonly listenError?: string;
}

export interface JoinAnswer {
  readonly nodeId: string;
  readonly issued: IssuedCertificate;
  readonly managers: readonly RemoteManager[];
}

/** @throws EngineError `invalid-argument` for what is not such a message. */
export function parseJoinMessage(body: unknown): JoinMessage {
  const fields = ['token', 'request', 'availability', 'address', 'hostname'] as const;
  if (!isRecord(body)) throw invalidArgument('the request to join is not an object');
  for (const field of fields) {
    if (typeof body[field] !== 'string') throw invalidArgument(`the request to join has no ${field}`);
  }
  return body as unknown as JoinMessage;
}

/** A request to join that another manager has received. */
export interface ForwardedJoin {
  readonly message: JoinMessage;
  /** Where the joining node's connection comes from. */
  readonly remoteAddress: string;
}

/** @throws EngineError `invalid-argument` for what is not such a message. */
export function parseForwardedJoin(body: unknown): ForwardedJoin {
  if (!isRecord(body) || typeof body.remoteAddress !== 'string') {
    throw invalidArgument('the forwarded request to join has no address');
  }
  return { message: parseJoinMessage(body.message), remoteAddress: body.remoteAddress };
}
