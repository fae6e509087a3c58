import { capabilityNames } from '../processes/capability-names.js';
import { SystemCall } from '../system-calls/system-call.js';

/** Version 3 of the capability calls: two sets of 32 bits, each effective, permitted and inheritable. */
const header = (): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeUInt32LE(0x20080522, 0);
  return buffer;
};
const setBytes = 24;
const resourceBit = 1 << capabilityNames.indexOf('CAP_SYS_RESOURCE');

const types = ['uint8_t *', 'uint8_t *'];
const capget = new SystemCall<[header: Uint8Array, sets: Uint8Array]>('capget', 'int', types);
const capset = new SystemCall<[header: Uint8Array, sets: Uint8Array]>('capset', 'int', types);

/**
 * Runs calls on this thread without CAP_SYS_RESOURCE, which exempts from the quotas of ext4: an overlay writes to its
 * upper directory with the capabilities of the thread that mounted it. Synchronous, so that nothing else runs meanwhile.
 */
export function withQuotaLimits<T>(action: () => T): T {
  const sets = Buffer.alloc(setBytes);
  capget.call(undefined, header(), sets);
  const before = sets.readUInt32LE(0);
  sets.writeUInt32LE((before & ~resourceBit) >>> 0, 0);
  capset.call(undefined, header(), sets);
  try {
    return action();
  } finally {
    sets.writeUInt32LE(before, 0);
    capset.call(undefined, header(), sets);
  }
}
