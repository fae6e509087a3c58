import path from 'node:path';
import { version } from '@gantry/core';
import type { StateDriver } from '@gantry/core/contracts';
import type { Lifetime, Logger } from '@gantry/core/driver';
import { type Endpoint, EngineServer, Surface } from '@gantry/core/http';
import { Accounts } from './accounts.js';
import { apiVersions, checkApiVersion } from './api-version.js';
import { BaseUrl } from './base-url.js';
import type { HostedApiConfig } from './config.js';
import { errorBody, errorStatus } from './error-body.js';
import { Gate } from './gate.js';
import { guard } from './hosted-router.js';
import { parseHost } from './hosts.js';
import { operatorRoutes } from './operator-routes.js';
import { readSharedFiles, WebPages } from './pages.js';
import { LoadMeter, pollIntervalFor } from './poll-interval.js';
import { RateLimiter } from './rate-limit.js';
import type { HostedApi } from './service.js';
import { Tokens } from './tokens.js';
import { limitRoutes, pageRoutes, userRoutes } from './user-routes.js';
import { webFileRoutes } from './web-files.js';

interface HostedApiParts {
  readonly config: HostedApiConfig;
  readonly state: StateDriver;
  /** Where the operator's socket is by default. */
  readonly runDirectory: string;
  readonly log: Logger;
  readonly lifetime: Lifetime;
}

/** Puts the surface together. Clients are let in by `ready`, when every area has started. */
export async function openHostedApi({ config, state, runDirectory, log, lifetime }: HostedApiParts) {
  const accounts = new Accounts(state);
  const tokens = new Tokens(state, accounts);
  const users = new RateLimiter({ perHour: config.requestsPerHour, perMinute: config.requestsPerMinute });
  const perAddress = config.anonymousRequestsPerHour;
  const gate = new Gate({ tokens, users, strangers: new RateLimiter({ perHour: perAddress, perMinute: perAddress }) });
  const baseUrl = new BaseUrl(config.baseUrl, config.pathPrefixes);
  const meter = new LoadMeter();
  const pages = new WebPages();
  const { surface, operator } = openSurfaces(config, log);
  surface.use('observe', (ctx, next) => {
    meter.count();
    return baseUrl.strip(ctx, next);
  });
  surface.use('authorize', async (ctx, next) => {
    checkApiVersion(ctx);
    await next();
  });
  const polling = { ...config, seconds: config.pollIntervalSeconds, maxSeconds: config.maxPollIntervalSeconds };
  const operatorSocket = config.operatorSocket ?? path.join(runDirectory, 'operator.sock');
  const servers: EngineServer[] = [];
  let operatorServer: EngineServer | undefined;
  const service: HostedApi = {
    routes: (owner, access, declare) => surface.routes(owner, (router) => declare(guard(router, gate, access))),
    openRoutes: (owner, declare) => surface.routes(owner, declare),
    operatorRoutes: (owner, declare) => operator.routes(owner, declare),
    addPage(owner, page) {
      const removeFiles = surface.routes(owner, (router) => webFileRoutes(router, page.files));
      const removePage = pages.add(page);
      return () => {
        removePage();
        removeFiles();
      };
    },
    account: (login) => accounts.find(login),
    accountWithId: (id) => accounts.withId(id),
    baseUrl: (ctx) => baseUrl.of(ctx),
    pollInterval: () => pollIntervalFor(meter.load(), polling),
    get addresses() {
      return servers.map((server) => server.address);
    },
    operatorSocket,
  };
  service.routes('hosted-api', { scopes: [] }, (router) => userRoutes(router, baseUrl));
  service.routes('hosted-api', { scopes: [], counts: false }, (router) => limitRoutes(router, users));
  const shared = await readSharedFiles();
  service.openRoutes('hosted-api', (router) => {
    pageRoutes(router, pages);
    webFileRoutes(router, shared);
  });
  service.operatorRoutes('hosted-api', (router) => operatorRoutes(router, accounts, tokens));
  const endpoints = config.hosts.map((host) =>
    parseHost(host, { insecureTcp: config.insecureTcp, ...(config.tls && { tls: config.tls }) }),
  );
  const start = async (served: Surface, endpoint: Endpoint): Promise<EngineServer> => {
    const server = await EngineServer.start(served, endpoint, {
      maxHeaderSize: 64 * 1024,
      maxConnections: config.maxConnections,
    });
    lifetime.add(() => server.stop(AbortSignal.abort()));
    log.info({ event: 'hosted-api.listening', surface: served.name, address: server.address }, 'listening');
    return server;
  };
  return {
    service,
    async ready(): Promise<void> {
      operatorServer = await start(operator, { kind: 'unix', path: operatorSocket, mode: 0o600 });
      for (const endpoint of endpoints) servers.push(await start(surface, endpoint));
    },
    async drain(signal: AbortSignal): Promise<void> {
      await Promise.all([operatorServer, ...servers].map((server) => server?.stop(signal)));
    },
  };
}

function openSurfaces(config: HostedApiConfig, log: Logger): { surface: Surface; operator: Surface } {
  const common = { errorBody, errorStatus, log };
  const surface = new Surface({
    ...common,
    name: 'hosted',
    bodyLimit: config.maxBodyBytes,
    headers: {
      Server: `Gantry/${version}`,
      'X-Host-Media-Type': 'host.v3; format=json',
      'X-Host-Api-Version-Selected': apiVersions[0],
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Authorization',
    },
  });
  return { surface, operator: new Surface({ ...common, name: 'hosted-operator' }) };
}
