import { definePlugin, type ServicePoint } from '@gantry/core';
import { inject, injectable } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import hostedApi from '../index.js';
import { runCommand } from '../run-command.js';
import { type Access, HostedApi, HostedListeners, type HostedRouter } from '../service.js';
import { type HostedClient, hostedClient } from './hosted-client.js';

/** A client of a hosted API that listens on a free TCP port. */
interface HostedApiFixture extends HostedClient {
  readonly engine: TestEngine;
  /** Runs `gantry-hosted` against its operator socket. */
  command(...args: readonly string[]): Promise<string>;
}

interface HostedApiOptions {
  readonly config?: object;
  /** The access of the routes that `declare` adds. */
  readonly access?: Access;
  readonly declare?: (router: HostedRouter, api: HostedApi) => void;
}

export async function startHostedApi(
  t: TestOwner,
  { config, access = { scopes: ['notifications', 'repo'] }, declare }: HostedApiOptions = {},
): Promise<HostedApiFixture> {
  @injectable()
  class AreaRoutes {
    constructor(@inject(HostedApi.token) private readonly api: HostedApi) {}

    async start(): Promise<void> {
      this.api.routes('area', access, (router) => declare?.(router, this.api));
    }
  }
  const area = definePlugin({
    id: 'area',
    requires: [HostedApi as ServicePoint<unknown>],
    configSchema: Type.Object({}),
    setup: () => AreaRoutes,
  });
  const engine = await startEngine(t, [state, hostedApi, area], {
    listens: false,
    plugins: { 'hosted-api': { hosts: ['tcp://127.0.0.1:0'], ...config } },
  });
  const { operatorSocket } = engine.kernel.service(HostedListeners);
  return Object.assign(hostedClient(engine, 'repo'), {
    engine,
    command: (...args: readonly string[]) => runCommand([...args, '--socket', operatorSocket]),
  });
}
