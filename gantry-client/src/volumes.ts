import { ApiError } from './api-error.js';
import type { Caller } from './caller.js';
import type { Filters } from './filters.js';
import type { VolumeCreateBody, VolumeDetails } from './types.js';

/** A volume of the engine. `await using` deletes it at the end of the block. */
export class Volume implements AsyncDisposable {
  constructor(
    private readonly caller: Caller,
    readonly name: string,
  ) {}

  inspect(): Promise<VolumeDetails> {
    return this.caller.json<VolumeDetails>('GET /volumes/{name}', { path: { name: this.name } });
  }

  async remove({ force }: { readonly force?: boolean } = {}): Promise<void> {
    const options = { path: { name: this.name }, query: { force } };
    (await this.caller.call('DELETE /volumes/{name}', options)).body.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.remove();
    } catch (error) {
      if (!ApiError.is(error, 404)) throw error;
    }
  }
}

/** The volumes of an engine. */
export class Volumes {
  constructor(private readonly caller: Caller) {}

  get(name: string): Volume {
    return new Volume(this.caller, name);
  }

  async list({ filters }: { readonly filters?: Filters } = {}): Promise<readonly VolumeDetails[]> {
    type Answer = { readonly Volumes: readonly VolumeDetails[] | null };
    return (await this.caller.json<Answer>('GET /volumes', { query: { filters } })).Volumes ?? [];
  }

  async create(body: VolumeCreateBody = {}): Promise<Volume> {
    return this.get((await this.caller.json<{ readonly Name: string }>('POST /volumes/create', { body })).Name);
  }
}
