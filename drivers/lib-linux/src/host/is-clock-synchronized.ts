import { SystemCall } from '../system-calls/system-call.js';

/** With no modes it only reads: `struct timex` begins with them, and is 208 bytes where a long has 64 bits. */
const adjtimex = new SystemCall<[timex: Uint8Array]>('adjtimex', 'int', ['uint8_t *']);

const timexBytes = 208;
/** TIME_ERROR of adjtimex(2): nothing keeps the clock. */
const unsynchronized = 5;

/** Whether something keeps the host's clock, such as NTP; undefined where the kernel may not be asked. */
export function isClockSynchronized(): boolean | undefined {
  const state = adjtimex.attempt(new Uint8Array(timexBytes));
  return state < 0 ? undefined : state !== unsynchronized;
}
