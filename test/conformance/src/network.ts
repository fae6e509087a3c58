import type { NetworkDriver } from '@gantry/core/contracts';
import { aborts, atOnce, rejects, throws } from './expectations.js';
import { freePort, tcpPort } from './network/network-stage.js';
import { peerChecks } from './network/peer-checks.js';
import { publishChecks } from './network/publish-checks.js';
import { type NetworkSuiteOptions, type StagedSuite, staged } from './network/staged-suite.js';
import { allocationChecks, nodeChecks } from './network/swarm-checks.js';
import { defineSuite } from './suite.js';

export type { NetworkSuiteOptions } from './network/staged-suite.js';

/**
 * The promises of `contracts/network.ts`. Drivers that act on the host should be tested in a network namespace of the
 * test process's own: the suite publishes ports from 21000 up and uses 10.214.0.0/15.
 */
export const networkDriverSuite = defineSuite<NetworkDriver, NetworkSuiteOptions>('network', (suite) => {
  const checks = staged(suite);
  networkChecks(checks, suite.options.badOptions ?? {});
  endpointChecks(checks);
  restoreChecks(checks);
  suite.group({ capability: 'addresses', when: ({ capabilities }) => capabilities.addresses }, (group) =>
    addressChecks(staged(group)),
  );
  suite.group({ capability: 'publish', when: ({ capabilities }) => capabilities.publish }, (group) =>
    publishChecks(staged(group)),
  );
  suite.group({ capability: 'peers', when: ({ capabilities }) => capabilities.peers === true }, (group) =>
    peerChecks(staged(group)),
  );
  suite.group({ capability: 'nodes', when: ({ capabilities }) => capabilities.nodes === true }, (group) =>
    nodeChecks(staged(group)),
  );
  suite.group({ capability: 'allocates', when: ({ capabilities }) => capabilities.allocates === true }, (group) =>
    allocationChecks(staged(group)),
  );
  suite.group({ capability: 'lack of publish', when: ({ capabilities }) => !capabilities.publish }, (group) =>
    staged(group).check('ports are ignored, and none are reported', async (t, stage) => {
      const network = await stage.network();
      const ports = [tcpPort(freePort())];
      t.deepEqual((await stage.join(network, { ports })).joined.ports, []);
      t.deepEqual((await stage.join(network, { ports })).joined.ports, []);
    }),
  );
});

function networkChecks(suite: StagedSuite, badOptions: Readonly<Record<string, string>>): void {
  suite.check('networks without options, and with unknown options, are valid', async (t, stage) => {
    stage.driver.validate(stage.newSpec());
    stage.driver.validate(stage.newSpec({ options: { 'org.example.whatever': 'x' } }));
    t.pass();
  });

  for (const [name, value] of Object.entries(badOptions)) {
    suite.check(`option ${name} with the value "${value}" is refused by both names`, async (t, stage) => {
      const spec = stage.newSpec({ options: { [name]: value } });
      const error = throws(t, () => stage.driver.validate(spec), 'invalid-argument');
      t.true(error.message.includes(name) && error.message.includes(value), error.message);
      await rejects(t, stage.driver.createNetwork(spec), 'invalid-argument');
    });
  }

  suite.check('a network made and removed 20 times at once is made and removed', async (t, stage) => {
    const { driver } = stage;
    const spec = stage.newSpec();
    await atOnce(20, () => driver.createNetwork(spec));
    await driver.createNetwork(spec);
    await atOnce(20, () => driver.removeNetwork(spec.id));
    await driver.removeNetwork(spec.id);
    await driver.createNetwork(spec);
    await driver.removeNetwork(spec.id);
    t.pass();
  });

  suite.check('removing a network that is not there resolves', async (t, stage) => {
    await stage.driver.removeNetwork('no such network');
    t.pass();
  });

  suite.check('a network is not removed while it has endpoints', async (t, stage) => {
    const network = await stage.network();
    const endpoint = await stage.join(network);
    await rejects(t, stage.driver.removeNetwork(network.id), 'forbidden', /has active endpoints/);
    await stage.leave(endpoint);
    await stage.removeNetwork(network);
  });
}

function endpointChecks(suite: StagedSuite): void {
  suite.check('an endpoint cannot join a network that is not there', async (t, stage) => {
    const request = await stage.newRequest(stage.newSpec());
    await rejects(t, stage.driver.join(request), 'not-found');
  });

  suite.check('joining 20 times at once is joining once', async (t, stage) => {
    const network = await stage.network();
    const { request, joined } = await stage.join(network);
    for (const again of await atOnce(20, () => stage.driver.join(request))) t.deepEqual(again, joined);
    const fresh = await stage.newRequest(network);
    const answers = await atOnce(20, () => stage.driver.join(fresh));
    for (const answer of answers) t.deepEqual(answer, answers[0]);
    await stage.driver.leave(network.id, fresh.endpointId);
  });

  suite.check('eight endpoints join at once, and leave at once', async (t, stage) => {
    const network = await stage.network();
    const endpoints = await atOnce(8, () => stage.join(network));
    t.is(stage.endpoints.size, 8);
    await Promise.all(endpoints.map((endpoint) => stage.leave(endpoint)));
    await stage.removeNetwork(network);
  });

  suite.check('leaving 20 times at once is leaving once, and the endpoint can join again', async (t, stage) => {
    const network = await stage.network();
    const endpoint = await stage.join(network);
    await atOnce(20, () => stage.driver.leave(network.id, endpoint.request.endpointId));
    t.deepEqual(await stage.driver.join(endpoint.request), endpoint.joined);
  });

  suite.check('leaving what was never joined resolves', async (t, stage) => {
    const network = await stage.network();
    await stage.driver.leave(network.id, 'no such endpoint');
    await stage.driver.leave('no such network', 'no such endpoint');
    t.pass();
  });

  suite.check('an endpoint can leave when its sandbox is gone', async (t, stage) => {
    const endpoint = await stage.join(await stage.network());
    await stage.sandboxes.remove(endpoint.request.sandbox.id);
    await stage.leave(endpoint);
    t.pass();
  });

  suite.check('an aborted join leaves nothing behind', async (t, stage) => {
    const network = await stage.network();
    const ports = [tcpPort(freePort())];
    const request = await stage.newRequest(network, { ports });
    await aborts(t, stage.driver.join(request, { signal: AbortSignal.abort() }));
    await stage.join(network, { ports, sandbox: request.sandbox });
  });

  suite.check('a sandbox can be on two networks', async (t, stage) => {
    const [one, other] = [await stage.network(), await stage.network()];
    const { request } = await stage.join(one);
    const wishes = { sandbox: request.sandbox, interfaceName: 'eth1', defaultRoute: false };
    const second = await stage.join(other, wishes);
    await stage.leave(second);
    await stage.join(other, wishes);
    t.pass();
  });
}

function restoreChecks(suite: StagedSuite): void {
  suite.check('after a crash endpoints are known again, and networks can be used', async (t, stage) => {
    const network = await stage.network();
    const endpoint = await stage.join(network);
    await stage.reopen({ crash: true });
    await stage.restore();
    t.deepEqual(await stage.driver.join(endpoint.request), endpoint.joined);
    await rejects(t, stage.driver.removeNetwork(network.id), 'forbidden');
    await stage.join(network);
  });

  suite.check('what should not exist is gone after a crash', async (t, stage) => {
    const [network, forgotten] = [await stage.network(), await stage.network()];
    const endpoint = await stage.join(network);
    await stage.reopen({ crash: true });
    stage.networks.delete(forgotten.id);
    await stage.restore([]);
    stage.endpoints.delete(endpoint.request.endpointId);
    await rejects(t, stage.driver.join(await stage.newRequest(forgotten)), 'not-found');
    await stage.removeNetwork(network);
    await stage.driver.createNetwork(forgotten);
    await stage.driver.removeNetwork(forgotten.id);
  });

  suite.check('restoring twice is restoring once', async (t, stage) => {
    const endpoint = await stage.join(await stage.network());
    await stage.reopen({ crash: true });
    await stage.restore();
    await stage.restore();
    t.deepEqual(await stage.driver.join(endpoint.request), endpoint.joined);
  });

  suite.check('an endpoint whose sandbox is gone does not keep others from being restored', async (t, stage) => {
    const network = await stage.network();
    const [lost, kept] = [await stage.join(network), await stage.join(network)];
    await stage.sandboxes.remove(lost.request.sandbox.id);
    await stage.reopen({ crash: true });
    await stage.restore();
    t.deepEqual(await stage.driver.join(kept.request), kept.joined);
  });

  suite.check('restoring nothing on a fresh host is allowed', async (t, stage) => {
    await stage.driver.restore([], []);
    await stage.join(await stage.network());
    t.pass();
  });
}

function addressChecks(suite: StagedSuite): void {
  suite.check('an endpoint gets a MAC address of its own and the gateway of the network', async (t, stage) => {
    const network = await stage.network();
    const [one, other] = [await stage.join(network), await stage.join(network)];
    if (stage.driver.capabilities.ownMacAddresses === false) t.is(one.joined.macAddress, '');
    else {
      t.regex(one.joined.macAddress, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
      t.not(one.joined.macAddress, other.joined.macAddress);
    }
    const gateway = network.pools[0]?.gateway?.replace(/\/.*/, '');
    t.is(one.joined.gateway, stage.driver.capabilities.routes === false ? undefined : gateway);
  });

  suite.check('a MAC address that is asked for is given', async (t, stage) => {
    const network = await stage.network();
    const macAddress = '02:42:AC:11:00:99';
    if (stage.driver.capabilities.ownMacAddresses === false) {
      const refused = await stage.newRequest(network, { macAddress });
      await rejects(t, stage.driver.join(refused), 'invalid-argument', /02:42:AC:11:00:99/);
    } else {
      t.is((await stage.join(network, { macAddress })).joined.macAddress, '02:42:ac:11:00:99');
    }
    const bad = await stage.newRequest(network, { macAddress: '02:42' });
    await rejects(t, stage.driver.join(bad), 'invalid-argument', /02:42/);
  });

  suite.check('an internal network reports no gateway', async (t, stage) => {
    t.is((await stage.join(await stage.network({ internal: true }))).joined.gateway, undefined);
  });
}
