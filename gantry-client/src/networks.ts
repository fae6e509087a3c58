import { ApiError } from './api-error.js';
import type { Caller } from './caller.js';
import type { Filters } from './filters.js';
import type { NetworkCreateBody, NetworkDetails } from './types.js';

/** A network of the engine. `await using` removes it at the end of the block. */
export class Network implements AsyncDisposable {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
  ) {}

  inspect(): Promise<NetworkDetails> {
    return this.caller.json<NetworkDetails>('GET /networks/{id}', { path: { id: this.id } });
  }

  async connect(container: string, endpoint: object = {}): Promise<void> {
    const body = { Container: container, EndpointConfig: endpoint };
    (await this.caller.call('POST /networks/{id}/connect', { path: { id: this.id }, body })).body.resume();
  }

  async disconnect(container: string, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    const body = { Container: container, Force: force };
    (await this.caller.call('POST /networks/{id}/disconnect', { path: { id: this.id }, body })).body.resume();
  }

  async remove(): Promise<void> {
    (await this.caller.call('DELETE /networks/{id}', { path: { id: this.id } })).body.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.remove();
    } catch (error) {
      if (!ApiError.is(error, 404)) throw error;
    }
  }
}

/** The networks of an engine. */
export class Networks {
  constructor(private readonly caller: Caller) {}

  get(id: string): Network {
    return new Network(this.caller, id);
  }

  list({ filters }: { readonly filters?: Filters } = {}): Promise<readonly NetworkDetails[]> {
    return this.caller.json<readonly NetworkDetails[]>('GET /networks', { query: { filters } });
  }

  async create(body: NetworkCreateBody): Promise<Network> {
    return this.get((await this.caller.json<{ readonly Id: string }>('POST /networks/create', { body })).Id);
  }
}
