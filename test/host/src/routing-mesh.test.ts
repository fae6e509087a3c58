import { eventually, nodeOf, running, type Swarm, type SwarmNode, startSwarm } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import type Docker from 'dockerode';
import { startLoad } from './testing/request-load.js';
import { startUdpEcho, udpQuestion } from './testing/udp-echo.js';

/** Serves the task's host name, and goes on for as long as open requests may take when it is to end. */
const web = 'mkdir /www; hostname > /www/index.html; httpd -f -h /www & trap "sleep 1; exit" TERM; wait';

interface ServiceWishes {
  readonly replicas: number;
  readonly ports: readonly object[];
  readonly command?: string;
  readonly networks?: readonly string[];
  readonly constraints?: readonly string[];
  readonly isProbed?: boolean;
}

async function createService(
  { manager }: Swarm,
  { command = web, constraints = [], isProbed = false, networks = [], ports, replicas }: ServiceWishes,
): Promise<Docker.Service> {
  const probe = { Test: ['CMD-SHELL', 'wget -q -O /dev/null http://127.0.0.1/'], Interval: 300e6, Timeout: 10e9 };
  const { id } = await manager.client.createService({
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: {
        Image: 'busybox',
        Command: ['sh', '-c', command],
        StopGracePeriod: 10e9,
        ...(isProbed && { Healthcheck: probe }),
      },
      Networks: networks.map((Target) => ({ Target })),
      Placement: { Constraints: [...constraints] },
    },
    Mode: { Replicated: { Replicas: replicas } },
    EndpointSpec: { Ports: [...ports] },
  } as Docker.CreateServiceOptions);
  return manager.client.getService(id);
}

/** What a node answers on a port at one of its addresses; empty when nothing does. */
async function pageFrom(node: SwarmNode, port: number, address = node.address): Promise<string> {
  // Not wget's own timeout: with it that of some builds of busybox crashes.
  const page = node.run('timeout', '5', 'busybox', 'wget', '-q', '-O', '-', `http://${address}:${port}/`);
  return (await page.catch(() => '')).trim();
}

/** Each node publishes a port in its own time. */
const firstPage = (node: SwarmNode, port: number): Promise<string> =>
  eventually('an answer', async () => (await pageFrom(node, port)) || undefined);

const nodesOf = ({ manager, workers }: Swarm): readonly SwarmNode[] => [manager, ...workers];

/** What ports leave on a host: rules and links. */
const hostState = async (node: SwarmNode): Promise<string> =>
  `${await node.run('nft', 'list', 'tables')}${await node.run('ip', '-o', '-br', 'link')}`.replaceAll(
    /@if\d+| +$/gm,
    '',
  );

/** The whole service is replaced, one task after the other; every node is asked meanwhile. */
async function failedRequests(t: ExecutionContext, swarm: Swarm, rounds: number): Promise<readonly string[]> {
  const ports = [{ Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 }];
  const service = await createService(swarm, { replicas: 6, ports, isProbed: true });
  await running(swarm, 6);
  for (const node of nodesOf(swarm)) await firstPage(node, 8080);
  const loads = nodesOf(swarm).map((node) => startLoad(t, node, 8080));
  for (let round = 1; round <= rounds; round++) {
    const { Spec, Version } = (await service.inspect()) as {
      Spec: { TaskTemplate: object };
      Version: { Index: number };
    };
    const before = new Set((await running(swarm, 6)).map(({ ID }) => ID));
    const UpdateConfig = { Parallelism: 1, Monitor: 1e6 };
    const update = { ...Spec, UpdateConfig, TaskTemplate: { ...Spec.TaskTemplate, ForceUpdate: round } };
    await service.update({ ...update, version: Version.Index });
    await eventually('six new tasks', async () => (await running(swarm, 6)).every(({ ID }) => !before.has(ID)));
  }
  const results = await Promise.all(loads.map((end) => end()));
  t.true(
    results.every(({ requests }) => requests > 20),
    JSON.stringify(results.map(({ requests }) => requests)),
  );
  t.log(`${results.map(({ requests }) => requests).join(' + ')} requests`);
  return results.flatMap(({ failures }) => failures);
}

const rounds = Number(process.env.GANTRY_UPDATE_ROUNDS ?? 1);

test.serial('no request fails while a rolling update replaces a service, on any node', async (t) => {
  const swarm = await startSwarm(t, 2, 10);
  t.deepEqual(await failedRequests(t, swarm, rounds), []);
});

test.serial(
  'ports of TCP, UDP and SCTP are published on every node, also those without a task, and leave nothing',
  async (t) => {
    const swarm = await startSwarm(t, 1, 10);
    const { manager, workers } = swarm;
    const [worker] = workers as [SwarmNode];
    const clean = await Promise.all(nodesOf(swarm).map(hostState));
    const { ID } = await nodeOf(swarm, worker);
    const service = await createService(swarm, {
      replicas: 1,
      constraints: [`node.id == ${ID}`],
      ports: [
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 },
        { Protocol: 'udp', TargetPort: 53, PublishedPort: 8053 },
        { Protocol: 'sctp', TargetPort: 9000, PublishedPort: 8132 },
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8081, PublishMode: 'host' },
      ],
    });
    await running(swarm, 1);
    await firstPage(worker, 8080);
    const name = await firstPage(manager, 8080);
    for (const node of nodesOf(swarm)) {
      for (const address of [manager.address, worker.address, '127.0.0.1']) {
        t.is(await pageFrom(node, 8080, address), name, `${node.address} asks ${address}`);
      }
      t.regex(await node.run('nft', 'list', 'table', 'ip', 'gantry_mesh'), /sctp \. 8132/);
      const { Peers: peers } = (await node.client.getNetwork('ingress').inspect()) as { Peers?: readonly unknown[] };
      t.is(peers?.length, 2, 'nodes of the mesh, also without a task');
    }
    const [container] = await worker.client.listContainers();
    const { State: state } = await worker.client.getContainer(container?.Id ?? '').inspect();
    const endEcho = await startUdpEcho(state.Pid, 53);
    t.teardown(endEcho);
    for (const node of nodesOf(swarm)) {
      t.is((await node.run(...udpQuestion(`from ${node.address}`, 8053, node.address))).trim(), `from ${node.address}`);
    }
    t.is(await pageFrom(manager, 8081, worker.address), name, 'the mode host');
    t.is(await pageFrom(worker, 8081, manager.address), '', 'only on the node of the task');

    await service.remove();
    await eventually('nothing is left', async () => {
      const now = await Promise.all(nodesOf(swarm).map(hostState));
      return now.every((state) => !state.includes('mesh'));
    });
    const bridges = (states: readonly string[]) => states.map((state) => state.replaceAll(/^.*(br-|veth).*\n/gm, ''));
    t.deepEqual(
      bridges(await Promise.all(nodesOf(swarm).map(hostState))).map((state) =>
        state.replace('table inet gantry\n', ''),
      ),
      bridges(clean).map((state) => state.replace('table inet gantry\n', '')),
    );
  },
);

/** Answers with the address of the client. */
const witness =
  "mkdir -p /www/cgi-bin; printf '#!/bin/sh\\necho; echo $REMOTE_ADDR\\n' > /www/cgi-bin/who; " +
  'chmod +x /www/cgi-bin/who; httpd -f -h /www';

test.serial(
  'tasks see the addresses of clients, whichever node those ask, also after the daemons were killed',
  async (t) => {
    const swarm = await startSwarm(t, 2, 10);
    const { manager, workers } = swarm;
    const [busy, client] = workers as [SwarmNode, SwarmNode];
    const { ID } = await nodeOf(swarm, busy);
    await createService(swarm, {
      replicas: 1,
      command: witness,
      constraints: [`node.id == ${ID}`],
      ports: [
        { Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 },
        { Protocol: 'udp', TargetPort: 53, PublishedPort: 8053 },
      ],
    });
    await running(swarm, 1);
    const seenBy = async (node: SwarmNode, address: string): Promise<string> => {
      const page = node.run('timeout', '5', 'busybox', 'wget', '-q', '-O', '-', `http://${address}:8080/cgi-bin/who`);
      // As a socket of both families shows it.
      return (await page.catch(() => '')).trim().replace(/^\[::ffff:(.*)\]$/, '$1');
    };
    const [container] = await busy.client.listContainers();
    const { State: state } = await busy.client.getContainer(container?.Id ?? '').inspect();
    t.teardown(await startUdpEcho(state.Pid, 53));
    const check = async (when: string): Promise<void> => {
      for (const node of [manager, busy]) {
        await eventually(`${node.address} keeps addresses`, async () => {
          return (await seenBy(client, node.address)) === client.address;
        });
        const over = async (from: SwarmNode) => (await from.run(...udpQuestion('who', 8053, node.address))).trim();
        t.is(await over(client), client.address, `UDP through ${node.address} ${when}`);
        const info = (await node.client.info()) as {
          Swarm: { ClientAddresses?: string };
          Warnings: readonly string[] | null;
        };
        t.is(info.Swarm.ClientAddresses, 'kept');
        t.false((info.Warnings ?? []).some((text) => text.includes('published ports')));
        // Addresses of the host itself are no way back from another node.
        for (const own of [node.address, '127.0.0.1']) {
          t.regex(await seenBy(node, own), /^10\.0\./, `${node.address} asks itself at ${own} ${when}`);
        }
      }
      t.is(await seenBy(busy, manager.address), busy.address, `a node asks another one ${when}`);
    };
    await check('at first');
    for (const node of [manager, busy]) {
      await node.daemon.crash();
      await node.daemon.restart();
    }
    await check('after a crash');
  },
);
