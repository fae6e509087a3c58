import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { ArchiveRoutes } from './archive-routes.js';
import { CreationRoutes } from './creation-routes.js';
import { InspectionRoutes } from './inspection-routes.js';
import { NamingRoutes } from './naming-routes.js';
import { operations } from './operations.js';

/** Spec: Images. */
@injectable()
export class ImageRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(CreationRoutes) private readonly creation: CreationRoutes,
    @inject(ArchiveRoutes) private readonly archives: ArchiveRoutes,
    @inject(InspectionRoutes) private readonly inspection: InspectionRoutes,
    @inject(NamingRoutes) private readonly naming: NamingRoutes,
  ) {}

  async start(): Promise<void> {
    const areas = [this.creation, this.archives, this.inspection, this.naming];
    this.lifetime.add(
      this.api.routes(
        'images',
        (router) => {
          for (const area of areas) area.declare(router);
        },
        operations,
      ),
    );
  }
}
