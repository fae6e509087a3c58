import { type Router, readJson, sendJson } from '@gantry/core/http';
import { type DriverLifecycle, inject, injectable, Lifetime, type OperatorCommand } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { GreetingsService } from './greetings-service.js';

const GreetBody = Type.Object({ Name: Type.String() });

/** Serves greetings: `GET /greetings/NAME`, `POST /greetings`, and `gantryd greet NAME`. */
@injectable()
export class GreetingRoutes implements DriverLifecycle {
  readonly commands: Readonly<Record<string, OperatorCommand>>;

  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(GreetingsService) private readonly greetings: GreetingsService,
  ) {
    this.commands = {
      greet: async function* ([name = '']) {
        yield greetings.greet(name).text;
      },
    };
  }

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('greeting', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/greetings/:name', (ctx) => sendJson(ctx, toWire(this.greetings.greet(ctx.params.name))));

    router.post('/greetings', async (ctx) => {
      const { Name } = await readJson(ctx, GreetBody);
      sendJson(ctx, toWire(this.greetings.greet(Name)), 201);
    });
  }
}

const toWire = ({ containers, text }: { readonly containers: number; readonly text: string }) => ({
  Text: text,
  Containers: containers,
});
