import type { RpcStatus } from '../protocol/messages.js';
import type { Protocol } from '../protocol/protocol.js';

/** The message `google.rpc.Status`, encoded. */
export function encodeStatus(protocol: Protocol, status: RpcStatus): Uint8Array {
  const type = protocol.type('google.rpc.Status');
  return type.encode(type.fromObject(status)).finish();
}
