import { definePlugin, type ServicePoint } from '@gantry/core';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import { runCommand } from '../command.js';
import hostedApi from '../index.js';
import { type Access, HostedApi, type HostedRouter } from '../service.js';
import { type HostedClient, hostedClient } from './hosted-client.js';

/** A surface of a test's own, over TCP on a free port. */
interface Bench extends HostedClient {
  readonly engine: TestEngine;
  /** Runs `gantry-hosted` on it. */
  command(...args: readonly string[]): Promise<string>;
}

interface BenchOptions {
  readonly config?: object;
  readonly access?: Access;
  readonly declare?: (router: HostedRouter, api: HostedApi) => void;
}

export async function bench(t: TestOwner, { config, access, declare }: BenchOptions = {}): Promise<Bench> {
  const area = definePlugin({
    id: 'area',
    requires: [HostedApi as ServicePoint<unknown>],
    configSchema: Type.Object({}),
    setup({ services }) {
      const api = services.service(HostedApi);
      api.routes('area', access ?? { scopes: ['notifications', 'repo'] }, (router) => declare?.(router, api));
    },
  });
  const engine = await startEngine(t, [state, hostedApi, area], {
    listens: false,
    plugins: { 'hosted-api': { hosts: ['tcp://127.0.0.1:0'], ...config } },
  });
  const { operatorSocket } = engine.kernel.service(HostedApi);
  return Object.assign(hostedClient(engine, 'repo'), {
    engine,
    command: (...args: readonly string[]) => runCommand([...args, '--socket', operatorSocket]),
  });
}
