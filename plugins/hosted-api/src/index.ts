import { StateDrivers } from '@gantry/core/contracts';
import { Config, Logger, PackageDirectories } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { Accounts } from './accounts.js';
import { BaseUrl } from './base-url.js';
import { configSchema } from './config.js';
import { Gate } from './gate.js';
import { HostedApiLifecycle } from './hosted-api-lifecycle.js';
import { HostedApiService } from './hosted-api-service.js';
import { HostedMiddleware } from './hosted-middleware.js';
import { HostedServers } from './hosted-servers.js';
import { Endpoints, parseHosts } from './hosts.js';
import { ListenerStarter } from './listener-starter.js';
import { LoadMeter } from './load-meter.js';
import { OperatorEndpoint, operatorEndpoint } from './operator-endpoint.js';
import { OperatorRoutes } from './operator-routes.js';
import { PageRoutes } from './page-routes.js';
import { PollInterval } from './poll-interval.js';
import { RateLimitRoutes } from './rate-limit-routes.js';
import { AddressLimiter, addressLimiter, UserLimiter, userLimiter } from './rate-limiter.js';
import { HostedAccounts, HostedApi, HostedListeners } from './service.js';
import { createHostedSurface, createOperatorSurface, HostedSurface, OperatorSurface } from './surfaces.js';
import { Tokens } from './tokens.js';
import { UserRoutes } from './user-routes.js';
import { WebPages } from './web-pages.js';

export default definePlugin({
  id: 'hosted-api',
  provides: [HostedApi, HostedAccounts, HostedListeners],
  requires: [StateDrivers],
  configSchema,
  setup({ config, container }) {
    container.registerValue(Endpoints, parseHosts(config));
    container.registerFactory(HostedSurface, [Config, Logger], createHostedSurface);
    container.registerFactory(OperatorSurface, [Logger], createOperatorSurface);
    container.registerFactory(OperatorEndpoint, [Config, PackageDirectories], operatorEndpoint);
    container.registerValue(UserLimiter, userLimiter(config));
    container.registerValue(AddressLimiter, addressLimiter(config));
    container.registerValue(LoadMeter, new LoadMeter());
    container.register(Accounts, Tokens, Gate, BaseUrl, PollInterval, WebPages, HostedMiddleware);
    container.register(
      ListenerStarter,
      HostedServers,
      UserRoutes,
      RateLimitRoutes,
      PageRoutes,
      OperatorRoutes,
      HostedApiService,
    );
    container.provide(HostedApi, HostedApiService);
    container.provide(HostedAccounts, Accounts);
    container.provide(HostedListeners, HostedServers);
    return HostedApiLifecycle;
  },
});
