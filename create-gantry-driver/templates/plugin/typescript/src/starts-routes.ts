import { invalidArgument } from '@gantry/core/errors';
import { type Router, readJson, sendJson } from '@gantry/core/http';
import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { StartsService } from './starts-service.js';

const ChangeBody = Type.Object({ Starts: Type.Integer() });

/** Serves `GET /__id__`, and `POST /__id__` with `{"Starts": 0}`. */
@injectable()
export class StartsRoutes implements DriverLifecycle {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(StartsService) private readonly service: StartsService,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('__id__', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/__id__', (ctx) => sendJson(ctx, { Starts: this.service.starts() }));

    router.post('/__id__', async (ctx) => {
      const { Starts } = await readJson(ctx, ChangeBody);
      if (Starts !== 0) throw invalidArgument(`Starts: ${Starts} is not accepted: it can only be set to 0`);
      this.service.reset();
      sendJson(ctx, { Starts: this.service.starts() });
    });
  }
}
