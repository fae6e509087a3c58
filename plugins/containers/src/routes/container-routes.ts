import { inject, injectable, Lifetime } from '@gantry/core/driver';
import type { Router } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { AttachRoutes } from './attach-routes.js';
import { InspectionRoutes } from './inspection-routes.js';
import { LifecycleRoutes } from './lifecycle-routes.js';
import { ManagementRoutes } from './management-routes.js';

/** Spec: Containers. */
@injectable()
export class ContainerRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(InspectionRoutes) private readonly inspection: InspectionRoutes,
    @inject(LifecycleRoutes) private readonly lifecycle: LifecycleRoutes,
    @inject(AttachRoutes) private readonly attach: AttachRoutes,
    @inject(ManagementRoutes) private readonly management: ManagementRoutes,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    for (const area of [this.inspection, this.lifecycle, this.attach, this.management]) area.declare(router);
  }
}
