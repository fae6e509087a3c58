import { ClusterInfo } from '@gantry/cluster/service';
import { Clock, Logger } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { HostedApi, HostedListeners } from '@gantry/hosted-api/service';
import { TaskDirectory } from '@gantry/services/service';
import { configSchema } from './config.js';
import { ConsoleListener, ConsoleRoutes } from './console-lifecycle.js';
import { ConsoleServer } from './console-server.js';
import { ConsoleEndpoint, readEndpoint } from './endpoint.js';
import { AboutRoutes } from './engine/about-routes.js';
import { EngineConnection } from './engine/engine-connection.js';
import { EngineRoutes } from './engine/engine-routes.js';
import { StreamRoutes } from './engine/stream-routes.js';
import { SwarmRoutes } from './engine/swarm-routes.js';
import { TerminalRoutes } from './engine/terminal-routes.js';
import { FirstScreen } from './first-screen/first-screen.js';
import { PageRoutes } from './page-routes.js';
import { SettingsRoutes } from './settings-routes.js';
import { Gate } from './sign-in/gate.js';
import { SessionRoutes } from './sign-in/session-routes.js';
import { Sessions } from './sign-in/sessions.js';
import { ConsoleSurface, createConsoleSurface } from './surface.js';

export default definePlugin({
  id: 'console',
  requires: [Clock, EngineApi, ClusterInfo, TaskDirectory],
  after: [HostedApi, HostedListeners],
  configSchema,
  setup({ config, container }) {
    container.registerValue(ConsoleEndpoint, readEndpoint(config));
    container.registerFactory(ConsoleSurface, [Logger], createConsoleSurface);
    container.register(Sessions, Gate, EngineConnection, FirstScreen, ConsoleServer);
    container.register(PageRoutes, SessionRoutes, EngineRoutes, StreamRoutes, TerminalRoutes, AboutRoutes);
    container.registerHooks(ConsoleRoutes, SettingsRoutes, SwarmRoutes);
    return ConsoleListener;
  },
});
