import { type CallAnswer, Caller, type CallOptions, type UpgradedAnswer } from './caller.js';
import { Containers, type RunOptions, type RunResult } from './containers.js';
import type { Filters } from './filters.js';
import { Images } from './images.js';
import { jsonLines } from './json-lines.js';
import { Networks } from './networks.js';
import type { AnswerOf, ItemOf, JsonRoute, OptionsArgument, StreamRoute } from './route-types.js';
import { type Transport, transportOf } from './transport.js';
import type { EngineEvent, SystemInfo, SystemVersion } from './types.js';
import { Volumes } from './volumes.js';

export interface ClientOptions {
  /**
   * Which version of the API is spoken, such as `1.41` for an engine that has no newer one; null leaves it to the engine. The
   * types are those of the default.
   */
  readonly version?: string | null;
}

/** An engine, as its API shows it: over a socket, or within the process that runs it. */
export class EngineClient {
  readonly containers: Containers;
  readonly images: Images;
  readonly networks: Networks;
  readonly volumes: Volumes;
  readonly #caller: Caller;

  /** @param transport or where the engine listens, such as `unix:///run/gantry.sock`. */
  constructor(transport: Transport | string, { version }: ClientOptions = {}) {
    this.#caller = new Caller(typeof transport === 'string' ? transportOf(transport) : transport, version);
    this.images = new Images(this.#caller);
    this.containers = new Containers(this.#caller, this.images);
    this.networks = new Networks(this.#caller);
    this.volumes = new Volumes(this.#caller);
  }

  /** Runs a command in a container of its own, which is removed. @returns its exit code, and what it wrote. */
  run(image: string, command?: readonly string[], options?: RunOptions): Promise<RunResult> {
    return this.containers.run(image, command, options);
  }

  async ping(): Promise<void> {
    (await this.#caller.call('GET /_ping')).body.resume();
  }

  version(): Promise<SystemVersion> {
    return this.#caller.json<SystemVersion>('GET /version');
  }

  info(): Promise<SystemInfo> {
    return this.#caller.json<SystemInfo>('GET /info');
  }

  /** What happens from now on, or in a span of time. */
  async *events(
    options: {
      readonly filters?: Filters;
      readonly since?: string;
      readonly until?: string;
      readonly signal?: AbortSignal;
    } = {},
  ): AsyncGenerator<EngineEvent, void> {
    const { signal, ...query } = options;
    const { body } = await this.#caller.call('GET /events', { query, signal });
    yield* jsonLines<EngineEvent>(body, 'GET /events');
  }

  /** Any route: `request('POST /containers/{id}/pause', { path: { id } })`. @returns the JSON of the answer, if any. */
  request<R extends JsonRoute>(route: R, ...[options]: OptionsArgument<R>): Promise<AnswerOf<R>> {
    return this.#caller.json<AnswerOf<R>>(route, options as CallOptions | undefined);
  }

  /** Any route that answers with one JSON object after the other. @throws ApiError also for one that reports an error. */
  async *stream<R extends StreamRoute>(route: R, ...[options]: OptionsArgument<R>): AsyncGenerator<ItemOf<R>, void> {
    const { body } = await this.#caller.call(route, options as CallOptions | undefined);
    yield* jsonLines<ItemOf<R>>(body, route);
  }

  /** The same for other answers, and for routes of other packages: the caller reads the body or destroys it. */
  open(route: string, options?: CallOptions): Promise<CallAnswer> {
    return this.#caller.call(route, options);
  }

  /**
   * The same for routes that take the connection for raw bytes both ways. Headers may name another protocol than `tcp`, as
   * `{ Upgrade: 'websocket' }` with those of its handshake.
   */
  upgrade(route: string, options?: CallOptions): Promise<UpgradedAnswer> {
    return this.#caller.upgrade(route, options);
  }
}
