import { invalidArgument } from '@gantry/core/errors';
import { outOfRange } from './host-config-check.js';

/**
 * Refuses what cannot be passed to the kernel: texts with a NUL byte, and numbers so large that JSON has lost their last
 * digits. @throws EngineError `invalid-argument` naming the field.
 */
export function checkValues(value: unknown, at = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArgument(`${at}: ${JSON.stringify(value.slice(0, 80))} holds a NUL byte`);
  } else if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw outOfRange(at, value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  } else if (Array.isArray(value)) {
    value.forEach((each, index) => {
      checkValues(each, `${at}[${index}]`);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      const path = at === '' ? key : `${at}.${key}`;
      checkValues(key, path);
      checkValues(each, path);
    }
  }
}
