import { inject, injectable } from '@gantry/core/driver';
import { queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { UnlockSwarm } from '../membership/unlock-swarm.js';
import { GetUnlockKey } from './get-unlock-key.js';
import { InitSwarm } from './init-swarm.js';
import { JoinSwarm } from './join-swarm.js';
import { LeaveSwarm } from './leave-swarm.js';
import { SwarmSpecBody } from './swarm-spec.js';

const text = Type.Optional(Type.String());
const availability = Type.Optional(
  Type.Union([Type.Literal('active'), Type.Literal('pause'), Type.Literal('drain'), Type.Literal('')]),
);

const InitBody = Type.Object({
  ListenAddr: text,
  AdvertiseAddr: text,
  DataPathAddr: text,
  DataPathPort: Type.Optional(Type.Integer()),
  DefaultAddrPool: Type.Optional(Type.Array(Type.String())),
  SubnetSize: Type.Optional(Type.Integer()),
  ForceNewCluster: Type.Optional(Type.Boolean()),
  Availability: availability,
  Spec: Type.Optional(SwarmSpecBody),
});

const JoinBody = Type.Object({
  ListenAddr: text,
  AdvertiseAddr: text,
  DataPathAddr: text,
  RemoteAddrs: Type.Optional(Type.Array(Type.String())),
  JoinToken: text,
  Availability: availability,
});

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
      const { UnlockKey } = await readJson(ctx, Type.Object({ UnlockKey: Type.String() }));
      await this.unlockSwarm.unlock(UnlockKey);
      ctx.status = 200;
    });
  }
}
