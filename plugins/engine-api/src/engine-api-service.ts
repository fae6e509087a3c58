import { inject, injectable } from '@gantry/core/driver';
import {
  EngineServer,
  type Middleware,
  type Operations,
  type Route,
  type Router,
  type Stage,
  Surface,
  type VersionRange,
} from '@gantry/core/http';
import { checkAccess, parseAccessList } from './access-list.js';
import { ApiVersions } from './api-versions.js';
import { EngineServers } from './engine-servers.js';
import type { AccessRules, EngineApi } from './service.js';

/** The surface as areas see it. */
@injectable()
export class EngineApiService implements EngineApi {
  readonly #guards = new Set<readonly string[]>();

  constructor(
    @inject(Surface) private readonly surface: Surface,
    @inject(EngineServers) private readonly servers: EngineServers,
    @inject(ApiVersions) private readonly versions: ApiVersions,
  ) {}

  get apiVersion(): string {
    return this.versions.max;
  }

  get minApiVersion(): string {
    return this.versions.min;
  }

  get guards(): readonly string[] {
    return [...this.#guards].flat();
  }

  get addresses(): readonly string[] {
    return this.servers.addresses;
  }

  get warnings(): readonly string[] {
    return this.servers.warnings;
  }

  get mounted(): readonly Route[] {
    return this.surface.mounted;
  }

  routes(owner: string, declare: (router: Router) => void, operations?: Operations): () => void {
    return this.surface.routes(owner, declare, operations);
  }

  extendVersions(range: VersionRange): () => void {
    return this.versions.extend(range);
  }

  async serveAt(path: string, access?: AccessRules): Promise<() => Promise<void>> {
    const list = access && parseAccessList(access.option, access.allow);
    const server = await EngineServer.start(
      this.surface,
      { kind: 'unix', path, mode: 0o600 },
      { ...(list && { admit: (ctx) => checkAccess(list, ctx) }) },
    );
    const remove = this.servers.addInternal(server);
    return async () => {
      remove();
      await server.stop(AbortSignal.abort());
    };
  }

  use(stage: Stage, middleware: Middleware, { guards = [] }: { readonly guards?: readonly string[] } = {}): () => void {
    const remove = this.surface.use(stage, middleware);
    this.#guards.add(guards);
    return () => {
      this.#guards.delete(guards);
      remove();
    };
  }
}
