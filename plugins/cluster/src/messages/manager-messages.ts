import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

/** Where a manager, also one that does not lead, says which managers it knows. */
export const managersPath = '/managers';

/** With which a manager begins a connection for the store. */
export interface TunnelMessage {
  /** Where other managers reach it, `address:port`. */
  readonly address: string;
}

/** Undefined: a manager of an earlier version does not say where it is reached. @throws EngineError `invalid-argument`. */
export function parseTunnelMessage(body: unknown): TunnelMessage | undefined {
  if (body === null || body === undefined) return undefined;
  if (!isRecord(body) || typeof body.address !== 'string' || !/:\d+$/.test(body.address)) {
    throw invalidArgument('the address of the manager has no port');
  }
  return { address: body.address };
}
