import type { Logger } from '@gantry/core/driver';
import { type EngineError, unavailable } from '@gantry/core/errors';
import type { Exchange, Middleware } from '@gantry/core/http';
import type { DiskPulse } from './disk-pulse.js';

/** How often is looked, in milliseconds. All times here are counted in these, so that a daemon that stood still itself blames no disk. */
const beat = 1000;

/** From then on a request may be one that waits for the disk, in beats. */
const suspicious = 3;

/** What a change has to do what it can without the disk, in beats. */
const grace = 5;

/** Does much without the disk: it is not refused beforehand. */
const doesWithout = /^\/(?:auth$|exec\/|containers\/[^/]+\/(?:kill|stop|pause|unpause|resize|wait|attach|exec)$)/;

export interface DiskWatchOptions {
  readonly pulse: DiskPulse;
  /** How long changes wait for a disk, in seconds. */
  readonly patience: number;
  /** Likewise reads, most of which need none. */
  readonly readPatience: number;
  readonly log: Logger;
  pending(): Iterable<Exchange>;
  /** Puts a hook before all requests. @returns takes it away. */
  hook(middleware: Middleware): () => void;
}

/**
 * Lets no request wait for ever for a disk that hangs. When requests take long, it asks the disk for an answer; when
 * that does not come in time they are answered with this reason. What they have begun goes on, and is done or undone
 * when the disk answers; so there is no second way for anything to fail, and nothing to be taken back. As long as the
 * disk hangs, further changes are not begun.
 */
export class DiskWatch {
  /** How many beats each request has been seen. */
  readonly #ages = new WeakMap<Exchange, number>();
  #timer: NodeJS.Timeout | undefined;
  /** For how many beats the disk has been silent. */
  #silence = 0;
  #openGate: (() => void) | undefined;

  constructor(private readonly options: DiskWatchOptions) {}

  /** A request has come. */
  begun(): void {
    this.#timer ??= setTimeout(() => this.#look(), beat).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.options.pulse.isOwed) await this.options.pulse.rest();
  }

  #look(): void {
    const { pulse } = this.options;
    this.#silence = pulse.isOwed ? this.#silence + 1 : 0;
    const pending = [...this.options.pending()];
    for (const exchange of pending) this.#see(exchange);
    this.#setGate();
    this.#timer = undefined;
    if (pending.length > 0 || pulse.isOwed) this.begun();
    else void pulse.rest();
  }

  #see(exchange: Exchange): void {
    const { pulse, patience, readPatience } = this.options;
    const age = (this.#ages.get(exchange) ?? 0) + 1;
    this.#ages.set(exchange, age);
    const isReading = isRead(exchange);
    const limit = isReading ? readPatience : patience;
    if (age >= Math.min(suspicious, limit)) pulse.ask();
    // Reads that look whether the disk comes back by themselves are slow, and then answer what there is.
    if (this.#silence < limit || age < (isReading ? limit : Math.min(grace, limit))) return;
    // The rest of a long answer may come yet.
    if (isReading && exchange.response.headersSent) return;
    exchange.abandon(this.#silent('what was asked for goes on when it does, and its outcome shows then'));
  }

  #setGate(): void {
    const { log, patience, pulse, hook } = this.options;
    if (this.#silence >= patience && this.#openGate === undefined) {
      log.error({ event: 'disk.silent', directory: pulse.directory }, 'the disk does not answer; changes are refused');
      this.#openGate = hook((ctx, next) => {
        if (isRead(ctx.state) || doesWithout.test(ctx.path)) return next();
        throw this.#silent('nothing was begun');
      });
    } else if (this.#silence === 0 && this.#openGate !== undefined) {
      log.info({ event: 'disk.answered', directory: pulse.directory }, 'the disk answers again');
      this.#openGate();
      this.#openGate = undefined;
    }
  }

  #silent(consequence: string): EngineError {
    const seconds = Math.round((this.#silence * beat) / 1000);
    return unavailable(`the disk of ${this.options.pulse.directory} has not answered for ${seconds} s: ${consequence}`);
  }
}

const isRead = ({ request }: Exchange): boolean => request.method === 'GET' || request.method === 'HEAD';
