import { Config, inject, injectable } from '@gantry/core/driver';
import { RemoteAuthorization } from '@gantry/lib-plugin-protocol';
import type { ExternalPluginsConfig } from '../config.js';
import type { ExternalPlugin } from '../service.js';

/** The authorization plugins that have joined. */
@injectable()
export class AuthorizationPlugins {
  readonly #plugins = new Map<string, RemoteAuthorization>();

  constructor(@inject(Config) private readonly config: Pick<ExternalPluginsConfig, 'authorization'>) {}

  /** By name or alias. */
  get(name: string): RemoteAuthorization | undefined {
    return this.#plugins.get(name);
  }

  /** Whether requests need the plugin's approval. */
  isRequired({ aliases, name, protocols }: ExternalPlugin): boolean {
    return protocols.includes('authz') && [name, ...aliases].some((each) => this.config.authorization.includes(each));
  }

  /** @returns removes the plugin. */
  add({ aliases, client, name }: ExternalPlugin): () => void {
    const authorization = new RemoteAuthorization(client);
    const names = [name, ...aliases].filter((each) => !this.#plugins.has(each));
    for (const each of names) this.#plugins.set(each, authorization);
    return () => {
      for (const each of names) this.#plugins.delete(each);
    };
  }
}
