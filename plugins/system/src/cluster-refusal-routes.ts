import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument, notAcceptable, notImplemented } from '@gantry/core/errors';
import { type Router, readJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';

/** The operations of a cluster's member, as the document lists them. */
const memberRoutes = [
  ['get', '/swarm'],
  ['post', '/swarm/leave'],
  ['post', '/swarm/update'],
  ['get', '/nodes'],
  ['get', '/nodes/:id'],
  ['delete', '/nodes/:id'],
  ['post', '/nodes/:id/update'],
  ['get', '/services'],
  ['post', '/services/create'],
  ['get', '/services/:id'],
  ['delete', '/services/:id'],
  ['post', '/services/:id/update'],
  ['get', '/tasks'],
  ['get', '/tasks/:id'],
] as const;

const MembershipBody = Type.Object({ ListenAddr: Type.Optional(Type.String()) });

/** @throws EngineError `invalid-argument` unless it is empty or `address[:port]`, `interface[:port]` or `:port`. */
function checkListenAddress(address: string): void {
  const [, port] = /^(?:\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(address) ?? [];
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && Number(port) < 65_536);
  if (!isPort || (address.includes(':') && port === undefined))
    throw invalidArgument(`ListenAddr: "${address}" is neither address:port nor interface:port`);
}

/**
 * Answers 406 to the operations of a cluster, as the document asks of an engine that is not part of one, so that clients
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
    for (const path of ['/swarm/init', '/swarm/join'] as const) {
      router.post(path, statuses.unavailableIsServerError, async (ctx) => {
        checkListenAddress((await readJson(ctx, MembershipBody)).ListenAddr ?? '');
        throw notImplemented(
          'this engine cannot be part of a swarm: no package of its configuration provides clusters',
        );
      });
    }
  }
}
