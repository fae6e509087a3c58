import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { AttachRoutes } from './attach-routes.js';
import { ConnectionRoutes } from './connection-routes.js';
import { InspectionRoutes } from './inspection-routes.js';
import { LifecycleRoutes } from './lifecycle-routes.js';
import { ManagementRoutes } from './management-routes.js';

/** Spec: Containers, and their connections to networks. */
@injectable()
export class ContainerRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(InspectionRoutes) private readonly inspection: InspectionRoutes,
    @inject(LifecycleRoutes) private readonly lifecycle: LifecycleRoutes,
    @inject(AttachRoutes) private readonly attach: AttachRoutes,
    @inject(ManagementRoutes) private readonly management: ManagementRoutes,
    @inject(ConnectionRoutes) private readonly connections: ConnectionRoutes,
  ) {}

  start(): void {
    const areas = [this.inspection, this.lifecycle, this.attach, this.management, this.connections];
    this.lifetime.add(
      this.api.routes('containers', (router) => {
        for (const area of areas) area.declare(router);
      }),
    );
  }
}
