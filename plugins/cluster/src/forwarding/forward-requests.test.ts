import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Duplex } from 'node:stream';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { internal, unavailable } from '@gantry/core/errors';
import { statuses } from '@gantry/core/http';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
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

/** A server of HTTP on a port of its own. Resolves to what connects to it. */
async function startLeader(t: ExecutionContext, answer: RequestListener): Promise<() => Duplex> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return () => connect(port, '127.0.0.1');
}

/** A manager of the swarm that was set last, which reaches its leader so when it does not lead. */
async function startManager(t: ExecutionContext, connectLeader: () => Duplex) {
  const swarms = [new Swarm()];
  const swarm = (): Swarm => swarms.at(-1) as Swarm;
  const membership = new Proxy({}, { get: (_target, name) => Reflect.get(swarm(), name) }) as SwarmMembership;
  const node = { link: { tunnel: async () => connectLeader() } } as unknown as ConnectedNode;

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
  return { ask, swarms };
}

test('a leader that loses the lead has the next one answer reads, and is unavailable for changes', async (t) => {
  const next = await startLeader(t, (_request, response) => response.end('["of the next leader"]'));
  const { ask, swarms } = await startManager(t, next);
  const read = await ask('GET', '/nodes');
  t.deepEqual([read.status, read.text], [200, '["of the next leader"]']);
  swarms.push(new Swarm());
  const change = await ask('POST', '/nodes');
  t.is(change.status, 503);
  t.regex(change.json<{ message: string }>().message, /lost the lead/);
  swarms.push(new Swarm());
  t.is((await ask('GET', '/tasks')).status, 503);
});

test('of a leader that ends in the middle of its answer reads are repeated, and changes are unavailable', async (t) => {
  let left = 2;
  const dying = await startLeader(t, (_request, response) => {
    response.writeHead(200, { 'Content-Length': 2 }).write('[');
    if (left === 0) response.end(']');
    else setImmediate(() => response.destroy());
    left -= 1;
  });
  const { ask, swarms } = await startManager(t, dying);
  for (const swarm of swarms) swarm.state = { status: 'pending' };
  const read = await ask('GET', '/nodes');
  t.deepEqual([read.status, read.text], [200, '[]']);
  left = 1;
  const change = await ask('POST', '/nodes');
  t.is(change.status, 503);
  t.regex(change.json<{ message: string }>().message, /ended before it had answered/);
});

test('a connection that has ended before the request is sent does not keep the client waiting', async (t) => {
  const answer = await startLeader(t, (_request, response) => response.end('[]'));
  const ended = new Duplex().destroy();
  const connections = [ended];
  const { ask, swarms } = await startManager(t, () => connections.pop() ?? answer());
  for (const swarm of swarms) swarm.state = { status: 'pending' };
  t.is((await ask('GET', '/nodes')).text, '[]');
  connections.push(ended);
  t.is((await ask('POST', '/nodes')).status, 503);
});
