import type { Engine } from './engine.js';

interface ContainerSettings {
  readonly Cmd: readonly string[];
  readonly HostConfig?: object;
}

/** Creates and controls containers of the benchmark's image. */
export class Containers {
  constructor(
    private readonly engine: Engine,
    private readonly image: string,
  ) {}

  async create(settings: ContainerSettings): Promise<string> {
    const { Id } = await this.engine.ask<{ Id: string }>('POST', '/containers/create', {
      body: { Image: this.image, ...settings },
    });
    return Id;
  }

  async start(id: string): Promise<void> {
    await this.engine.bytes('POST', `/containers/${id}/start`);
  }

  async wait(id: string): Promise<void> {
    await this.engine.bytes('POST', `/containers/${id}/wait`);
  }

  async remove(id: string): Promise<void> {
    await this.engine.bytes('DELETE', `/containers/${id}?force=1&v=1`);
  }
}

/** Runs work for each item, with a concurrency limit. */
export async function concurrently<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
