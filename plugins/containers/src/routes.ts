import type { Router } from '@gantry/core/http';
import type { ContainerArea } from './areas/container-area.js';
import { lifeRoutes } from './routes/life-routes.js';
import { lookRoutes } from './routes/look-routes.js';
import { processRoutes } from './routes/process-routes.js';
import { streamRoutes } from './routes/stream-routes.js';

/** Spec: Containers. */
export function containerRoutes(router: Router, area: ContainerArea): void {
  lookRoutes(router, area);
  lifeRoutes(router, area.parts);
  streamRoutes(router, area.parts);
  processRoutes(router, area.parts);
}
