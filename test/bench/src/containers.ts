import type { Engine } from './engine.js';

export interface ContainerSettings {
  readonly Cmd: readonly string[];
  readonly HostConfig?: object;
}

/** Containers of the image that is measured with. */
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

/** Runs a piece of work for each item, `width` at a time. */
export async function atOnce<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const lane = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
