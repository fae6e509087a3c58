import { Config, inject, injectable, Logger } from '@gantry/core/driver';
import { type EngineError, unavailable } from '@gantry/core/errors';
import { type Exchange, Surface } from '@gantry/core/http';
import type { EngineApiConfig } from './config.js';
import { DiskProbe } from './disk-probe.js';
import { EngineServers } from './engine-servers.js';
import { worksWithoutDisk } from './route-marks.js';

/**
 * The interval of checks, in milliseconds. All times here are counted in intervals, so that a pause of the daemon itself
 * is not mistaken for a disk that hangs.
 */
const interval = 1000;

/** From this age on a request may be waiting for the disk, in intervals. */
const suspiciousAge = 3;

/** The age at which a change is abandoned at the earliest, in intervals: part of its work may need no disk. */
const grace = 5;

/**
 * Bounds the wait for a disk that hangs. When requests take long, it probes the disk; when the probe does not complete in
 * time, they are abandoned with this reason. Their handlers continue and complete or roll back when the disk responds. As
 * long as the disk hangs, further changes are refused before they begin.
 */
@injectable()
export class DiskWatch {
  /** The number of intervals each request has been seen. */
  readonly #ages = new WeakMap<Exchange, number>();
  #timer: NodeJS.Timeout | undefined;
  /** The number of intervals the probe has been pending. */
  #silence = 0;
  #removeGate: (() => void) | undefined;

  constructor(
    @inject(Config) private readonly config: EngineApiConfig,
    @inject(Logger) private readonly log: Logger,
    @inject(Surface) private readonly surface: Surface,
    @inject(EngineServers) private readonly servers: EngineServers,
    @inject(DiskProbe) private readonly probe: DiskProbe,
  ) {}

  /** Starts the checks, with the first request that comes. */
  begin(): void {
    this.#timer ??= setTimeout(() => this.#check(), interval).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.probe.isPending) await this.probe.close();
  }

  #check(): void {
    const { probe } = this;
    this.#silence = probe.isPending ? this.#silence + 1 : 0;
    const pending = [...this.servers.pending()];
    for (const exchange of pending) this.#checkRequest(exchange);
    this.#updateGate();
    this.#timer = undefined;
    if (pending.length > 0 || probe.isPending) this.begin();
    else void probe.close();
  }

  #checkRequest(exchange: Exchange): void {
    const { diskTimeoutSeconds, diskReadTimeoutSeconds } = this.config;
    const age = (this.#ages.get(exchange) ?? 0) + 1;
    this.#ages.set(exchange, age);
    const isReading = isRead(exchange);
    const limit = isReading ? diskReadTimeoutSeconds : diskTimeoutSeconds;
    if (age >= Math.min(suspiciousAge, limit)) this.probe.begin();
    // Reads that wait for the disk themselves are slow, and then return what is known.
    if (this.#silence < limit || age < (isReading ? limit : Math.min(grace, limit))) return;
    // The rest of a long response may still come.
    if (isReading && exchange.response.headersSent) return;
    exchange.abandon(this.#hangs('the operation continues when the disk responds, and its outcome shows then'));
  }

  #updateGate(): void {
    const { directory } = this.probe;
    if (this.#silence >= this.config.diskTimeoutSeconds && this.#removeGate === undefined) {
      this.log.error({ event: 'disk.hangs', directory }, 'disk hangs; changes are refused');
      this.#removeGate = this.surface.use('translate', (ctx, next) => {
        if (isRead(ctx.state) || ctx.state.route?.has(worksWithoutDisk)) return next();
        throw this.#hangs('nothing was begun');
      });
    } else if (this.#silence === 0 && this.#removeGate !== undefined) {
      this.log.info({ event: 'disk.responds', directory }, 'disk responds again');
      this.#removeGate();
      this.#removeGate = undefined;
    }
  }

  #hangs(consequence: string): EngineError {
    const seconds = Math.round((this.#silence * interval) / 1000);
    return unavailable(`the disk of ${this.probe.directory} has not answered for ${seconds} s: ${consequence}`);
  }
}

const isRead = ({ request }: Exchange): boolean => request.method === 'GET' || request.method === 'HEAD';
