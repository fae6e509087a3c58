import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { StarterImage } from './starter-image.js';

/** Requests that do not depend on images. */
const unaffectedPaths: readonly string[] = ['/_ping', '/version'];

/** How long after the start the image is made without a request, in milliseconds. */
const delayAfterStart = 100;

/**
 * Makes the image when the daemon listens already, so that the first start is not slower. Requests wait for it, so that
 * no client sees an engine without the image.
 */
@injectable()
export class StarterImageLifecycle implements DriverLifecycle {
  readonly #stopping = new AbortController();
  #creation: Promise<void> | undefined;
  #removeMiddleware: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(StarterImage) private readonly createImage: StarterImage,
  ) {}

  async start(): Promise<void> {
    if (await this.createImage.isDone()) return;
    this.#removeMiddleware = this.api.use('observe', (ctx, next) => this.#awaitImage(ctx, next));
  }

  async ready(): Promise<void> {
    if (this.#removeMiddleware !== undefined) this.#timer = setTimeout(() => void this.#create(), delayAfterStart);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#creation;
    this.#removeMiddleware?.();
  }

  async #awaitImage(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    if (!unaffectedPaths.includes(ctx.path)) await this.#create();
    await next();
  }

  /** Single-flight. */
  #create(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return this.#creation ?? Promise.resolve();
    this.#creation ??= this.createImage.create(signal).finally(() => this.#removeMiddleware?.());
    return this.#creation;
  }
}
