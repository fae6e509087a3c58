import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Router, readJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { NetworkService } from '@gantry/networks/service';
import { ConnectContainer } from '../networking/connect-container.js';
import { DisconnectContainer } from '../networking/disconnect-container.js';
import { ConnectBodySchema, DisconnectBodySchema } from '../schema.js';
import { operations } from './operations.js';

/** Spec: POST /networks/(id)/connect and /networks/(id)/disconnect. */
@injectable()
export class ConnectionRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(ConnectContainer) private readonly connectContainer: ConnectContainer,
    @inject(DisconnectContainer) private readonly disconnectContainer: DisconnectContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/networks/:id/connect', statuses.unavailableIsServerError, async (ctx) => {
      const { Container, EndpointConfig = {} } = await readJson(ctx, ConnectBodySchema);
      const { id } = this.networks.get(ctx.params.id);
      await this.connectContainer.connect(required(Container), id, EndpointConfig);
      ctx.status = 200;
    });

    router.post('/networks/:id/disconnect', async (ctx) => {
      const { Container, Force: force = false } = await readJson(ctx, DisconnectBodySchema);
      const { id } = this.networks.get(ctx.params.id);
      await this.disconnectContainer.disconnect(required(Container), id, { force });
      ctx.status = 200;
    });
  }
}

function required(container = ''): string {
  if (container === '') throw invalidArgument('Container: the id or name of a container is required');
  return container;
}
