import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

export const storeTunnelPath = '/store-tunnel';
export const storeMemberPath = '/store-member';

/** With which a node that has become a manager asks for its part of the store. */
interface StoreMemberMessage {
  /** Where other managers reach it, `address:port`. */
  readonly address: string;
}

export interface StoreMemberAnswer {
  /** Base64: the key of what is sealed in the store. */
  readonly key: string;
  /** The managers lock themselves with it. */
  readonly unlockKey: string | undefined;
  readonly storeId: string;
  /** Names of all members of the store, the new one included. */
  readonly members: readonly string[];
}

/** @throws EngineError `invalid-argument` for what is not such a message. */
export function parseStoreMemberMessage(body: unknown): StoreMemberMessage {
  if (!isRecord(body) || !/:\d+$/.test(String(body.address))) {
    throw invalidArgument('the address of the manager has no port');
  }
  return body as unknown as StoreMemberMessage;
}
