import type { Duplex, Readable } from 'node:stream';
import type { Peer } from '../identity/peer.js';

/** A request of another node. */
export interface NodeRequest {
  /** Undefined only for requests that anyone may send. */
  readonly peer: Peer | undefined;
  /** Where the connection comes from, without a port. */
  readonly remoteAddress: string;
  /** JSON that was sent with it; of an upload or a tunnel, with its head. */
  readonly body: unknown;
  /** Aborts when the other node ends the request, or the connection. */
  readonly signal: AbortSignal;
  /** Ends the connection: for a node that has to look for another manager. */
  disconnect(): void;
}

/**
 * What is served at a path. Errors are sent to the other node with their kind and message. The values of a stream are sent as
 * JSON, one a line; bytes are sent as they are, and have to be such lines. What an upload or a tunnel is given is no end of a
 * pipeline, for the reason that `sendAll` names.
 */
export type NodeRoute = {
  readonly access: 'anyone' | 'nodes' | 'managers';
  /** Also with a certificate that has expired. */
  readonly acceptsExpired?: boolean;
} & (
  | { readonly type: 'call'; readonly answer: (request: NodeRequest) => Promise<unknown> }
  | { readonly type: 'stream'; readonly answer: (request: NodeRequest) => AsyncIterable<unknown> }
  | { readonly type: 'upload'; readonly answer: (request: NodeRequest, bytes: Readable) => Promise<void> }
  | { readonly type: 'tunnel'; readonly answer: (request: NodeRequest, connection: Duplex) => void }
);

export interface NodeRouteTable {
  get(path: string): NodeRoute | undefined;
}
