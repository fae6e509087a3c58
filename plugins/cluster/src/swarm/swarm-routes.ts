import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { InspectSwarm } from './inspect-swarm.js';
import { MembershipRoutes } from './membership-routes.js';
import { operations } from './operations.js';
import { UpdateBody } from './swarm-bodies.js';
import { UpdateSwarm } from './update-swarm.js';

/** Spec: Swarm, of an engine that is a manager. */
@injectable()
export class SwarmRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(MembershipRoutes) private readonly membership: MembershipRoutes,
    @inject(SwarmMembership) private readonly member: SwarmMembership,
    @inject(InspectSwarm) private readonly swarm: InspectSwarm,
    @inject(UpdateSwarm) private readonly updateSwarm: UpdateSwarm,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('cluster', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    this.membership.declare(router);
    router.get('/swarm', async (ctx) => sendJson(ctx, await this.swarm.inspect()));
    router.post('/swarm/update', statuses.conflictIsServerError, (ctx) => this.#update(ctx));
  }

  async #update(ctx: Context): Promise<void> {
    await this.member.manager();
    const query = queryOf(ctx);
    const version = query.version('swarm');
    const { JoinTokens = {}, ...spec } = await readJson(ctx, UpdateBody);
    await this.updateSwarm.update({
      version,
      spec,
      joinTokens: JoinTokens,
      rotate: {
        worker: query.boolean('rotateWorkerToken'),
        manager: query.boolean('rotateManagerToken'),
        unlockKey: query.boolean('rotateManagerUnlockKey'),
      },
    });
    ctx.status = 200;
  }
}
