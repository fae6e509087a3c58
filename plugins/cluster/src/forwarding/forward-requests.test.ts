import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { internal, unavailable } from '@gantry/core/errors';
import { statuses } from '@gantry/core/http';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import type { ConnectedNode } from '../membership/connected-node.js';
import type { SwarmMembership } from '../membership/swarm-membership.js';
import { ForwardRequests } from './forward-requests.js';

/** This manager leads until it is asked. Another one answers then. */
class Swarm {
  readonly end = new AbortController();
  state: object = { status: 'active', session: { signal: this.end.signal } };
  readonly isOneOfSeveral = true;

  loseLead(): void {
    this.end.abort();
    setTimeout(() => {
      this.state = { status: 'pending' };
    }, 20);
  }

  async settled(): Promise<void> {}
}

const openServer = (answer: string): Promise<Server> =>
  new Promise((resolve) => {
    const server: Server = createServer((_request, response) => response.end(answer));
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

test('a leader that loses the lead has the next one answer reads, and is unavailable for changes', async (t) => {
  const next = await openServer('["of the next leader"]');
  t.teardown(() => next.close());
  const { port } = next.address() as { port: number };
  const swarms: Swarm[] = [];
  const swarm = (): Swarm => swarms.at(-1) as Swarm;
  const membership = new Proxy({}, { get: (_target, name) => Reflect.get(swarm(), name) }) as SwarmMembership;
  const node = { link: { tunnel: async () => connect(port, '127.0.0.1') } } as unknown as ConnectedNode;

  @injectable()
  class Area {
    constructor(
      @inject(EngineApi.token) private readonly api: EngineApi,
      @inject(Lifetime) private readonly lifetime: Lifetime,
    ) {}

    async start(): Promise<void> {
      new ForwardRequests(this.api, this.lifetime, membership, node).start();
      this.api.routes('area', (router) => {
        for (const method of ['get', 'post'] as const) {
          router[method]('/nodes', () => {
            swarm().loseLead();
            throw internal('the store is closed');
          });
        }
        router.get('/tasks', statuses.unavailableIsServerError, () => {
          throw unavailable('the store has no majority');
        });
      });
    }
  }
  const area = definePlugin({ id: 'area', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Area });
  const { ask } = await startEngine(t, [engineApi, area]);

  swarms.push(new Swarm());
  const read = await ask('GET', '/nodes');
  t.deepEqual([read.status, read.text], [200, '["of the next leader"]']);
  swarms.push(new Swarm());
  const change = await ask('POST', '/nodes');
  t.is(change.status, 503);
  t.regex(change.json<{ message: string }>().message, /lost the lead/);
  swarms.push(new Swarm());
  t.is((await ask('GET', '/tasks')).status, 503);
});
