import { NetworkDrivers } from '@gantry/core/contracts';
import engineApi from '@gantry/engine-api';
import { ipam, sandbox } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import networks from '../index.js';
import { EndpointService, SandboxService } from '../service.js';
import { FakeNetwork, fakeNetwork } from '../testing/fake-network.js';
import { attachment, sandboxOf } from '../testing/harness.js';
import { startReplaceable } from '../testing/replaceable-network.js';

const definitions = (bridge: FakeNetwork) => [
  ...[engineApi, ipam, sandbox],
  ...[fakeNetwork('bridge', bridge), fakeNetwork('none', new FakeNetwork('none')), networks],
];

/** An engine with the networks `front` of a driver that can be replaced, and `bridge` of another one. */
async function start(t: ExecutionContext) {
  const bridge = new FakeNetwork('bridge');
  const engine = await startReplaceable(t, definitions(bridge));
  t.deepEqual(await engine.install(1), ['network/replaceable']);
  const idOf = async (name: string) => (await engine.ask('GET', `/networks/${name}`)).json<{ Id: string }>().Id;
  t.is((await engine.ask('POST', '/networks/create', { body: { Name: 'front', Driver: 'replaceable' } })).status, 201);
  return {
    ...engine,
    bridgeDriver: bridge,
    sandboxes: engine.kernel.service(SandboxService),
    endpoints: engine.kernel.service(EndpointService),
    front: await idOf('front'),
    bridge: await idOf('bridge'),
  };
}

type Started = Awaited<ReturnType<typeof start>>;

interface Change {
  readonly what: string;
  /** The driver's call, after which the change is kept from being stored. */
  readonly call: 'join' | 'leave';
  /** How a takeover that waits for it names it. */
  readonly named: string;
  /** Networks that the container is on before; undefined: it does not run. */
  readonly before?: readonly ('front' | 'bridge')[];
  make(engine: Started): Promise<unknown>;
}

const changes: readonly Change[] = [
  {
    what: 'a container starts',
    call: 'join',
    named: 'connecting a container',
    make: ({ sandboxes, front }) => sandboxes.open(sandboxOf('c1', attachment(front))),
  },
  {
    what: 'a container exits',
    call: 'leave',
    named: 'disconnecting a container',
    before: ['front'],
    make: ({ sandboxes }) => sandboxes.close('c1'),
  },
  {
    what: 'a running container is connected',
    call: 'join',
    named: 'connecting a container',
    before: ['bridge'],
    make: ({ endpoints, front }) => endpoints.connect('c1', attachment(front)),
  },
  {
    what: 'a running container is disconnected',
    call: 'leave',
    named: 'disconnecting a container',
    before: ['front', 'bridge'],
    make: ({ endpoints, front }) => endpoints.disconnect('c1', front),
  },
  {
    what: 'an endpoint takes over the default route',
    call: 'join',
    named: 'moving routes and ports',
    before: ['bridge', 'front'],
    make: ({ endpoints, bridge }) => endpoints.disconnect('c1', bridge),
  },
  {
    what: 'a connection is rolled back',
    call: 'leave',
    named: 'disconnecting a container',
    before: ['bridge'],
    async make({ bridgeDriver, endpoints, front }) {
      bridgeDriver.failures.set('join', new Error('the route is kept'));
      await endpoints.connect('c1', attachment(front, { gatewayPriority: 1 })).catch(() => undefined);
    },
  },
];

for (const { before, call, make, named, what } of changes) {
  test(`another version takes over before or after ${what}, not between the driver's call and the record of it`, async (t) => {
    const engine = await start(t);
    const { endpoints, front, holdAfter, install, sandboxes } = engine;
    if (before !== undefined) {
      await sandboxes.open(sandboxOf('c1', ...before.map((name) => attachment(engine[name]))));
    }
    const held = holdAfter(call);
    const change = make(engine);
    const store = await held;
    await t.throwsAsync(install(2), {
      message: `network/replaceable: calls have not ended within 1 s (1 of ${named}); nothing was changed`,
    });
    const replaced = install(2);
    store();
    await change;
    t.deepEqual(await replaced, ['network/replaceable']);
    const recorded = endpoints.endpointsOf('c1').filter(({ networkId }) => networkId === front);
    t.deepEqual(
      engine.endpointsOf(2),
      recorded.map(({ id }) => id),
    );
    await sandboxes.close('c1');
    t.deepEqual(engine.endpointsOf(2), []);
    t.is((await engine.ask('DELETE', '/networks/front')).status, 204);
  });
}

test('a driver that connects nodes of a swarm is not replaced while the daemon runs, and stays', async (t) => {
  const { install, kernel } = await startReplaceable(t, definitions(new FakeNetwork()), { peers: true });
  await install(1);
  await t.throwsAsync(install(2), {
    message: 'network/replaceable: it connects nodes of a swarm; another version takes over when the daemon starts',
  });
  t.true(kernel.drivers(NetworkDrivers).has('replaceable'));
  t.is(kernel.statuses().find(({ name }) => name === 'network/replaceable')?.version, '1.0.0');
});
