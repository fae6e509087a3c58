import { inject, injectable } from '@gantry/core/driver';
import { type Router, statuses } from '@gantry/core/http';
import { worksWithoutDisk } from '@gantry/engine-api/service';
import { PauseContainer } from '../lifecycle/pause-container.js';
import { UnpauseContainer } from '../lifecycle/unpause-container.js';

/** Spec: POST pause and unpause of containers. */
@injectable()
export class PauseRoutes {
  constructor(
    @inject(PauseContainer) private readonly pauseContainer: PauseContainer,
    @inject(UnpauseContainer) private readonly unpauseContainer: UnpauseContainer,
  ) {}

  declare(router: Router): void {
    router.post('/containers/:id/pause', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.pauseContainer.pause(ctx.params.id);
      ctx.status = 204;
    });

    router.post('/containers/:id/unpause', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.unpauseContainer.unpause(ctx.params.id);
      ctx.status = 204;
    });
  }
}
