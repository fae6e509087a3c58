import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { settlesWithin } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { type LogMessage, type Outlet, StreamLink } from '@gantry/lib-log';
import type { Address } from '@gantry/lib-log/options';
import { decodeMulti } from '@msgpack/msgpack';
import type { FluentdSettings } from './options.js';
import type { RecordFormat } from './record-format.js';

/** How long a server may take to acknowledge, in milliseconds. */
const acknowledgementTimeout = 30_000;

/** A connection to Fluentd in forward mode. */
export class ForwardOutlet implements Outlet {
  readonly #link: StreamLink;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** The chunk whose acknowledgement is awaited. */
  #waiting: { readonly chunk: string; done(isTaken: boolean): void } | undefined;

  constructor(
    private readonly settings: FluentdSettings,
    private readonly format: RecordFormat,
  ) {
    const { address } = settings;
    this.#link = new StreamLink({
      name: nameOf(address),
      connect: () => open(address),
      onData: (chunk) => this.#acknowledged(chunk),
      onClose: () => this.#waiting?.done(false),
      ...(address.scheme === 'tls' && { readyEvent: 'secureConnect' }),
    });
  }

  async send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
    const wait = this.#failedAt + this.settings.retryWait - performance.now();
    if (wait > 0) await delay(wait, undefined, { signal });
    try {
      for (const part of this.#parts(messages)) await this.#sendPart(part, signal);
    } catch (error) {
      this.#failedAt = performance.now();
      throw error;
    }
  }

  close({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    return this.#link.close(signal);
  }

  /** As many messages as the buffer's limit allows, and one at least. */
  *#parts(messages: readonly LogMessage[]): Generator<LogMessage[]> {
    let part: LogMessage[] = [];
    let bytes = 0;
    for (const message of messages) {
      if (part.length > 0 && bytes + message.line.length > this.settings.bufferLimit) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(message);
      bytes += message.line.length;
    }
    if (part.length > 0) yield part;
  }

  async #sendPart(messages: readonly LogMessage[], signal: AbortSignal): Promise<void> {
    if (!this.settings.asksForAcknowledgement) {
      await this.#link.send(this.format.forward(messages, undefined), signal);
      return;
    }
    const chunk = randomBytes(16).toString('base64');
    let isTaken = false;
    const answered = new Promise<void>((resolve) => {
      const done = (answer: boolean) => {
        isTaken = answer;
        resolve();
      };
      this.#waiting = { chunk, done };
    });
    await this.#link.send(this.format.forward(messages, chunk), signal);
    await settlesWithin(answered, acknowledgementTimeout, { signal }).catch(() => false);
    this.#waiting = undefined;
    if (isTaken) return;
    this.#link.drop();
    throw unavailable(`${nameOf(this.settings.address)} does not acknowledge`);
  }

  #acknowledged(bytes: Buffer): void {
    try {
      for (const answer of decodeMulti(bytes)) {
        if ((answer as { ack?: unknown }).ack === this.#waiting?.chunk) this.#waiting?.done(true);
      }
    } catch {
      // What is no acknowledgement counts as none.
    }
  }
}

const nameOf = (address: Address): string =>
  'path' in address ? `unix://${address.path}` : `${address.scheme}://${address.host}:${address.port}`;

function open(address: Address): Socket {
  if ('path' in address) return connect(address.path);
  const { scheme, host, port } = address;
  return scheme === 'tls' ? connectSecurely({ host, port }) : connect({ host, port });
}
