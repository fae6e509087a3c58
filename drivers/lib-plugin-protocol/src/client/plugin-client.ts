import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@gantry/core/driver';
import { EngineError, internal, messageOf, unavailable } from '@gantry/core/errors';
import type { PluginAddress } from './plugin-address.js';
import { asObject, type PluginAnswer } from './plugin-answer.js';
import { isUnreachable, sendRequest } from './send-request.js';

export interface PluginClientOptions {
  /** Deadline of calls that name none, in milliseconds. Default 15 s. */
  readonly timeout?: number;
  /** How long a call retries to connect to a plugin that does not listen, in milliseconds. Default 30 s. */
  readonly connectTimeout?: number;
  /** Largest answer, in bytes. Default 8 MiB. */
  readonly maxAnswerBytes?: number;
}

export interface CallOptions {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Back-off between attempts to connect, in milliseconds. */
const minBackoff = 20;
const maxBackoff = 2000;

/**
 * Calls one plugin. Every call has a deadline and rejects `unavailable` naming plugin and method when it passes. After a
 * call failed to connect, the next ones make one attempt each, so that an unreachable plugin delays only one of them.
 */
export class PluginClient {
  readonly #timeout: number;
  readonly #connectTimeout: number;
  readonly #maxAnswerBytes: number;
  #wasReachable = true;

  constructor(
    /** For messages. */
    readonly name: string,
    readonly address: PluginAddress,
    options: PluginClientOptions = {},
  ) {
    this.#timeout = options.timeout ?? 15_000;
    this.#connectTimeout = options.connectTimeout ?? 30_000;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? 8 * 2 ** 20;
  }

  /**
   * Calls a method such as `VolumeDriver.Get`. Resolves to the fields of the answer. Rejects `internal` with "METHOD: message" when the plugin answers an error.
   */
  async call(method: string, body: object = {}, options: CallOptions = {}): Promise<PluginAnswer> {
    return this.#withDeadline(method, options, async (signal) => {
      const response = await this.#send(method, body, options, signal);
      const text = await this.#read(method, response);
      return this.#parse(method, response.statusCode ?? 0, text);
    });
  }

  /** Calls a method that answers a stream of bytes, which the caller destroys. The deadline is for the response head. */
  async stream(method: string, body: object = {}, options: CallOptions = {}): Promise<IncomingMessage> {
    const stop = new AbortController();
    const response = await this.#withDeadline(method, options, async (signal) => {
      const abort = () => stop.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await this.#send(method, body, options, stop.signal);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    });
    if (response.statusCode === 200) return response;
    this.#parse(method, response.statusCode ?? 0, await this.#read(method, response));
    throw internal(`${method}: the plugin answered ${response.statusCode}`);
  }

  async #withDeadline<T>(method: string, options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const milliseconds = this.#timeoutOf(options);
    const error = () => unavailable(`plugin "${this.name}" did not answer ${method} within ${milliseconds / 1000} s`);
    return withDeadline({ milliseconds, error, signal: options.signal }, async (signal) => {
      try {
        return await work(signal);
      } catch (cause) {
        signal.throwIfAborted();
        if (EngineError.is(cause)) throw cause;
        throw unavailable(`plugin "${this.name}" failed to answer ${method}: ${messageOf(cause)}`, { cause });
      }
    });
  }

  #timeoutOf({ timeout = this.#timeout }: CallOptions): number {
    return timeout;
  }

  async #send(method: string, body: object, options: CallOptions, signal: AbortSignal): Promise<IncomingMessage> {
    const text = JSON.stringify(body);
    // Before the call's own deadline, which would hide that the plugin is unreachable, also from the calls that follow.
    const connectTimeout = Math.min(this.#connectTimeout, 0.9 * this.#timeoutOf(options));
    const end = performance.now() + (this.#wasReachable ? connectTimeout : 0);
    for (let backoff = minBackoff; ; backoff = Math.min(backoff * 2, maxBackoff)) {
      try {
        const response = await sendRequest(this.address, method, text, signal);
        this.#wasReachable = true;
        return response;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (performance.now() + backoff > end) {
          this.#wasReachable = false;
          throw unavailable(`plugin "${this.name}" is unreachable for ${method}: ${messageOf(error)}`, {
            cause: error,
          });
        }
        await delay(backoff, undefined, { signal });
      }
    }
  }

  async #read(method: string, response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > this.#maxAnswerBytes) {
        throw internal(
          `plugin "${this.name}" answered ${method} with more than ${this.#maxAnswerBytes} bytes, the most that is read`,
        );
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #parse(method: string, status: number, text: string): PluginAnswer {
    let answer: PluginAnswer | undefined;
    try {
      // Plugins may answer null where they have nothing to say.
      answer = asObject(text.trim() === '' ? {} : (JSON.parse(text) ?? {}));
    } catch (cause) {
      if (status === 200) throw internal(`plugin "${this.name}" answered ${method} with no JSON`, { cause });
    }
    const message = answer?.Err ?? answer?.Error;
    if (typeof message === 'string' && message !== '') throw internal(`${method}: ${message}`);
    if (status !== 200) throw internal(`${method}: plugin "${this.name}" answered ${status}: ${text.slice(0, 300)}`);
    if (answer === undefined) throw internal(`plugin "${this.name}" answered ${method} with JSON that is no object`);
    return answer;
  }
}
