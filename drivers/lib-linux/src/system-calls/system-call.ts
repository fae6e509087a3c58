import { LinuxError } from '../errors/linux-error.js';
import { koffi, library, type NativeFunction, once } from '../ffi/native.js';

type NativeValue = string | number | bigint | Uint8Array | Int32Array | null;

/**
 * A function of the C library that answers -1 and sets `errno`.
 * `ssize_t` is a type the FFI library does not know: write `int64_t`.
 */
export class SystemCall<Parameters extends readonly NativeValue[]> {
  readonly #native: () => NativeFunction;

  constructor(
    readonly name: string,
    result: string,
    parameters: readonly string[],
    symbol: string = name,
  ) {
    this.#native = once(() => library(null).func(symbol, result, [...parameters]) as unknown as NativeFunction);
  }

  /** The result, or the negative error number. */
  attempt(...values: Parameters): number {
    const result = Number(this.#native()(...values));
    return result === -1 ? -koffi().errno() : result;
  }

  /** The result. Throws LinuxError, naming `about`. */
  call(about: string | undefined, ...values: Parameters): number {
    const result = this.attempt(...values);
    if (result < 0) throw this.#failure(-result, about);
    return result;
  }

  /** On a thread of the pool, for what may block. Memory passed by reference must stay untouched until it settles. */
  later(about: string | undefined, ...values: Parameters): Promise<number> {
    return this.attemptLater(...values).then((result) => {
      if (result < 0) throw this.#failure(-result, about);
      return result;
    });
  }

  /** `attempt` on a thread of the pool. The values are kept alive until it settles. */
  attemptLater(...values: Parameters): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#native().async(...values, (error: unknown, result: unknown) => {
        // The error number of the pool's thread is put back before this callback runs.
        const number = Number(result);
        if (error !== null && error !== undefined) reject(error);
        else resolve(number === -1 ? -koffi().errno() : number);
        void values.length;
      });
    });
  }

  #failure(errno: number, about: string | undefined): LinuxError {
    return new LinuxError(errno, this.name, about === undefined ? {} : { path: about });
  }
}

/** A call the C library has no function for. The numbers from 424 on are the same on every architecture. */
export function numberedCall<Parameters extends readonly NativeValue[]>(
  name: string,
  number: number,
  parameters: readonly string[],
): { attempt(...values: Parameters): number; call(about: string | undefined, ...values: Parameters): number } {
  const raw = new SystemCall<readonly NativeValue[]>(name, 'long', ['long', ...parameters], 'syscall');
  return {
    attempt: (...values) => raw.attempt(number, ...values),
    call: (about, ...values) => raw.call(about, number, ...values),
  };
}
