import { inject, injectable } from '@gantry/core/plugin';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { RegistrySettings } from '../registry-settings.js';
import { type Keychain, keychainEntry } from './keychain.js';
import { RegistryTransport } from './registry-transport.js';
import { locate, type Repository } from './repository.js';
import { RegistrySession } from './session.js';

/** A repository with the sessions that lead to it. */
export interface Access {
  readonly repository: Repository;
  /** The registry itself. */
  readonly origin: RegistrySession;
  /** Where to read from, in this order: mirrors, then the registry. */
  readonly sources: readonly RegistrySession[];
}

/** Opens sessions as the configuration says. */
@injectable()
export class Endpoints {
  constructor(
    @inject(RegistrySettings) private readonly settings: RegistrySettings,
    @inject(RegistryTransport) private readonly transport: RegistryTransport,
  ) {}

  get defaultRegistry(): string | undefined {
    return this.settings.current.defaultRegistry;
  }

  /**
   * `name` as people write it. Without credentials those of the repository's registry are taken from the keychain.
   * @throws EngineError `internal` when it needs a default registry and there is none.
   */
  open(name: string, credentials: RegistryCredentials | undefined, keychain?: Keychain): Access {
    const repository = locate(name, this.settings.current);
    const { registry } = repository;
    const origin = this.session(registry, credentials ?? keychainEntry(keychain, registry));
    const mirrors = this.settings.current.mirrors[repository.registry] ?? [];
    // Credentials are for the registry, not for its mirrors.
    return { repository, origin, sources: [...mirrors.map((url) => this.session(url, undefined)), origin] };
  }

  session(registry: string, credentials: RegistryCredentials | undefined): RegistrySession {
    return new RegistrySession(registry, credentials, this.transport);
  }
}

/** Asks one source after the other. Rejects with the failure of the last, which is the registry's own. */
export async function fromFirst<T>(
  sources: readonly RegistrySession[],
  ask: (source: RegistrySession) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (const source of sources.slice(0, -1)) {
    try {
      return await ask(source);
    } catch {
      signal?.throwIfAborted();
    }
  }
  const last = sources.at(-1);
  if (last === undefined) throw new RangeError('no source to ask');
  return ask(last);
}
