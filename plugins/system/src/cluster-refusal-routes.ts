import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notAcceptable } from '@gantry/core/errors';
import type { Router } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';

/** The operations on services and tasks, as the document lists them. */
const memberRoutes = [
  ['get', '/services'],
  ['post', '/services/create'],
  ['get', '/services/:id'],
  ['delete', '/services/:id'],
  ['post', '/services/:id/update'],
  ['get', '/tasks'],
  ['get', '/tasks/:id'],
] as const;

/**
 * Answers 406 to operations on services and tasks, as the document asks of an engine that is not part of one, so that clients
 * do not take them for misspelled paths.
 */
@injectable()
export class ClusterRefusalRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('system', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    for (const [method, path] of memberRoutes) {
      router[method](path, () => {
        throw notAcceptable('This node is not a swarm manager: it is not part of a swarm');
      });
    }
  }
}
