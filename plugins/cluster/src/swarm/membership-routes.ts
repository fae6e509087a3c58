import { inject, injectable } from '@gantry/core/driver';
import { queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { UnlockSwarm } from '../membership/unlock-swarm.js';
import { GetUnlockKey } from './get-unlock-key.js';
import { InitSwarm } from './init-swarm.js';
import { JoinSwarm } from './join-swarm.js';
import { LeaveSwarm } from './leave-swarm.js';
import { InitBody, JoinBody, UnlockBody } from './swarm-bodies.js';

/** Spec: Swarm: how an engine becomes part of one, and leaves. */
@injectable()
export class MembershipRoutes {
  constructor(
    @inject(InitSwarm) private readonly initSwarm: InitSwarm,
    @inject(JoinSwarm) private readonly joinSwarm: JoinSwarm,
    @inject(LeaveSwarm) private readonly leaveSwarm: LeaveSwarm,
    @inject(UnlockSwarm) private readonly unlockSwarm: UnlockSwarm,
    @inject(GetUnlockKey) private readonly unlockKey: GetUnlockKey,
  ) {}

  declare(router: Router): void {
    router.post('/swarm/init', statuses.stateIsServerError, async (ctx) => {
      const { Availability, ...body } = await readJson(ctx, InitBody);
      const nodeId = await this.initSwarm.init({
        ...body,
        Availability: Availability === '' ? undefined : Availability,
      });
      sendJson(ctx, JSON.stringify(nodeId));
    });

    router.post('/swarm/join', statuses.unavailableIsServerError, async (ctx) => {
      const { Availability, ...body } = await readJson(ctx, JoinBody);
      await this.joinSwarm.join({ ...body, Availability: Availability === '' ? undefined : Availability });
      ctx.status = 200;
    });

    router.post('/swarm/leave', statuses.stateIsServerError, async (ctx) => {
      await this.leaveSwarm.leave({ force: queryOf(ctx).boolean('force') });
      ctx.status = 200;
    });

    router.get('/swarm/unlockkey', async (ctx) => sendJson(ctx, { UnlockKey: await this.unlockKey.get() }));

    router.post('/swarm/unlock', statuses.conflictIsServerError, async (ctx) => {
      const { UnlockKey } = await readJson(ctx, UnlockBody);
      await this.unlockSwarm.unlock(UnlockKey);
      ctx.status = 200;
    });
  }
}
