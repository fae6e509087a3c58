import type { Engine } from './engine.js';

interface ContainerSettings {
  readonly Cmd: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
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
