import { StateDrivers } from '@gantry/core/contracts';
import { Config, Logger } from '@gantry/core/driver';
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
import { LoadMeter } from './load-meter.js';
import { OperatorRoutes } from './operator-routes.js';
import { PageRoutes } from './page-routes.js';
import { PollInterval } from './poll-interval.js';
import { RateLimitRoutes } from './rate-limit-routes.js';
import { AddressLimiter, addressLimiter, UserLimiter, userLimiter } from './rate-limiter.js';
import { HostedApi } from './service.js';
import { createHostedSurface, createOperatorSurface, HostedSurface, OperatorSurface } from './surfaces.js';
import { Tokens } from './tokens.js';
import { UserRoutes } from './user-routes.js';
import { WebPages } from './web-pages.js';

export default definePlugin({
  id: 'hosted-api',
  provides: [HostedApi],
  requires: [StateDrivers],
  configSchema,
  setup({ config, container }) {
    container.registerValue(Endpoints, parseHosts(config));
    container.registerFactory(HostedSurface, [Config, Logger], createHostedSurface);
    container.registerFactory(OperatorSurface, [Logger], createOperatorSurface);
    container.registerValue(UserLimiter, userLimiter(config));
    container.registerValue(AddressLimiter, addressLimiter(config));
    container.registerValue(LoadMeter, new LoadMeter());
    container.register(Accounts, Tokens, Gate, BaseUrl, PollInterval, WebPages, HostedMiddleware, HostedServers);
    container.register(UserRoutes, RateLimitRoutes, PageRoutes, OperatorRoutes, HostedApiService);
    container.provide(HostedApi, HostedApiService);
    return HostedApiLifecycle;
  },
});
