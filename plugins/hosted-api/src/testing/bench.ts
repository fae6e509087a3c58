import { definePlugin, type ServicePoint } from '@gantry/core';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import { runCommand } from '../command.js';
import hostedApi from '../index.js';
import { type Access, HostedApi, type HostedRouter } from '../service.js';

/** A surface of a test's own, over TCP on a free port. */
export interface Bench {
  readonly engine: TestEngine;
  readonly url: string;
  ask(method: string, path: string, options?: RequestInit & { token?: string | undefined }): Promise<Response>;
  /** Runs `gantry-hosted` on it. */
  command(...args: readonly string[]): Promise<string>;
}

export interface BenchOptions {
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
  const api = engine.kernel.service(HostedApi);
  const url = `http://${api.addresses[0]}`;
  return {
    engine,
    url,
    ask: (method, path, { token, headers, ...rest } = {}) =>
      fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers },
        ...rest,
      }),
    command: (...args) => runCommand([...args, '--socket', api.operatorSocket]),
  };
}
