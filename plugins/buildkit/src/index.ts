import { BuildService } from '@gantry/build/service';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { Front } from './front.js';
import { BuildKitRoutes } from './routes.js';
import { Services } from './services.js';
import { ClientSessions } from './sessions/client-sessions.js';
import { SessionConnections } from './sessions/session-connections.js';
import { BuildJobs } from './solve/build-jobs.js';
import { ControlService } from './solve/control-service.js';
import { GatewayService } from './solve/gateway-service.js';
import { ImageExporter } from './solve/image-exporter.js';
import { SolveDockerfile } from './solve/solve-dockerfile.js';

export default definePlugin({
  id: 'buildkit',
  requires: [EngineApi, BuildService, ImageService, ImageExchange],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ClientSessions, SessionConnections, BuildJobs, SolveDockerfile, ImageExporter);
    container.register(ControlService, GatewayService, Services, Front);
    return BuildKitRoutes;
  },
});
