import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, internal, messageOf, unavailable } from '@gantry/core/errors';
import type { PluginAddress } from './plugin-address.js';
import { asObject, type PluginAnswer } from './plugin-answer.js';
import { isUnreachable, send } from './send.js';

export interface PluginClientOptions {
  /** How long a call may take that names no time of its own, in milliseconds. Default 15 s. */
  readonly timeout?: number;
  /** How long a call looks for a plugin that does not listen, in milliseconds. Default 2 s. */
  readonly patience?: number;
  /** Most bytes of an answer. Default 8 MiB. */
  readonly maxAnswerBytes?: number;
}

export interface CallOptions {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** The first pause between two tries to reach a plugin, and the longest, in milliseconds. */
const firstPause = 20;
const longestPause = 500;

/**
 * Calls one plugin. Every call has a deadline and rejects `unavailable` naming plugin and method when it passes. A
 * plugin that was not there at the last call is looked for once only, so that it costs its callers their patience once.
 */
export class PluginClient {
  readonly #timeout: number;
  readonly #patience: number;
  readonly #maxAnswerBytes: number;
  #wasThere = true;

  constructor(
    /** As people know it; in messages. */
    readonly name: string,
    readonly address: PluginAddress,
    options: PluginClientOptions = {},
  ) {
    this.#timeout = options.timeout ?? 15_000;
    this.#patience = options.patience ?? 2000;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? 8 * 2 ** 20;
  }

  /**
   * Calls a method such as `VolumeDriver.Get`. Resolves to the fields of the answer, with those that were left out
   * undefined. Rejects `internal` with "METHOD: words" when the plugin says that it failed.
   */
  async call(method: string, body: object = {}, options: CallOptions = {}): Promise<PluginAnswer> {
    return this.#within(method, options, async (signal) => {
      const response = await this.#reach(method, body, signal);
      const text = await this.#read(method, response);
      return this.#judge(method, response.statusCode ?? 0, text);
    });
  }

  /** Calls a method that answers a stream of bytes, the caller's to destroy. The deadline is that of its beginning. */
  async stream(method: string, body: object = {}, options: CallOptions = {}): Promise<IncomingMessage> {
    const stop = new AbortController();
    const response = await this.#within(method, options, async (signal) => {
      const giveUp = () => stop.abort(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await this.#reach(method, body, stop.signal);
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    });
    if (response.statusCode === 200) return response;
    this.#judge(method, response.statusCode ?? 0, await this.#read(method, response));
    throw internal(`${method}: the plugin answered ${response.statusCode}`);
  }

  async #within<T>(method: string, options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = options.timeout ?? this.#timeout;
    const late = AbortSignal.timeout(timeout);
    const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
    try {
      return await work(signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (late.aborted) {
        throw unavailable(`plugin "${this.name}" did not answer ${method} within ${timeout / 1000} s`, {
          cause: error,
        });
      }
      if (EngineError.is(error)) throw error;
      throw unavailable(`plugin "${this.name}" cannot be asked for ${method}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #reach(method: string, body: object, signal: AbortSignal): Promise<IncomingMessage> {
    const text = JSON.stringify(body);
    const end = performance.now() + (this.#wasThere ? this.#patience : 0);
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        const response = await send(this.address, method, text, signal);
        this.#wasThere = true;
        return response;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (performance.now() + pause > end) {
          this.#wasThere = false;
          throw unavailable(`plugin "${this.name}" is not there to answer ${method}: ${messageOf(error)}`, {
            cause: error,
          });
        }
        await delay(pause, undefined, { signal });
      }
    }
  }

  async #read(method: string, response: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    let total = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      total += part.length;
      if (total > this.#maxAnswerBytes) {
        throw internal(
          `plugin "${this.name}" answered ${method} with more than ${this.#maxAnswerBytes} bytes, which is too much`,
        );
      }
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  #judge(method: string, status: number, text: string): PluginAnswer {
    let answer: PluginAnswer | undefined;
    try {
      answer = asObject(text.trim() === '' ? {} : JSON.parse(text));
    } catch (cause) {
      if (status === 200) throw internal(`plugin "${this.name}" answered ${method} with no JSON`, { cause });
    }
    const words = answer?.Err ?? answer?.Error;
    if (typeof words === 'string' && words !== '') throw internal(`${method}: ${words}`);
    if (status !== 200) throw internal(`${method}: plugin "${this.name}" answered ${status}: ${text.slice(0, 300)}`);
    if (answer === undefined)
      throw internal(`plugin "${this.name}" answered ${method} with something else than fields`);
    return answer;
  }
}
