import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, startNodes } from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { wholeFiles } from './testing/fill-data-root.js';
import { untilRun } from './testing/fill-swarm.js';

const run = promisify(execFile);

/** Made by `write-swarm-main.js` of earlier engines. */
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

interface Kept {
  readonly ID: string;
  readonly Spec: { readonly Name: string; readonly Labels: object; readonly Data?: string };
}

for (const file of readdirSync(fixtures).filter((name) => name.startsWith('swarm-'))) {
  test(`${file} of earlier engines is read, and its nodes and services work`, async (t) => {
    const [manager, worker] = await startNodes(t, 2, (number) => ({
      prepare: async (directory) => {
        const folder = number === 1 ? 'manager' : 'worker';
        const archive = path.join(fixtures, file);
        await run('tar', [...wholeFiles, '--strip-components=1', '-C', directory, '-xzf', archive, folder]);
      },
    }));
    if (manager === undefined || worker === undefined) throw new Error('there are no two nodes');
    const { client } = manager;
    const nodes = await eventually('both nodes are ready', async () => {
      const found = (await client.listNodes().catch(() => [])) as {
        readonly ID: string;
        readonly Status: { readonly State: string };
      }[];
      return found.length === 2 && found.every(({ Status }) => Status.State === 'ready') && found;
    });
    const own = (await client.info()) as { readonly Swarm: { readonly NodeID: string } };
    const other = (await worker.client.info()) as { readonly Swarm: { readonly NodeID: string } };
    t.deepEqual(nodes.map(({ ID }) => ID).sort(), [own.Swarm.NodeID, other.Swarm.NodeID].sort());
    for (const { daemon } of [manager, worker]) t.notRegex(daemon.log(), /quarantine/);

    t.like(((await client.swarmInspect()) as Kept).Spec, { Name: 'default', Labels: { of: 'swarm' } });
    const [secret] = (await client.listSecrets()) as unknown as Kept[];
    t.like(secret?.Spec, { Name: 'kept', Labels: { of: 'secret' } });
    const [config] = (await client.listConfigs()) as unknown as Kept[];
    t.like(config?.Spec, { Name: 'kept', Labels: { of: 'config' }, Data: Buffer.from('shown').toString('base64') });
    const network = await client.getNetwork('spread').inspect();
    t.like(network, { Driver: 'overlay', Scope: 'swarm', Labels: { of: 'network' } });
    t.is(network.IPAM?.Config?.[0]?.Subnet, '10.232.77.0/24');

    const { Spec, Endpoint } = (await client.getService('kept').inspect()) as {
      readonly Endpoint: {
        readonly Ports: readonly object[];
        readonly VirtualIPs: readonly { readonly Addr: string }[];
      };
      readonly Spec: { readonly TaskTemplate: object; readonly Mode: object };
    };
    t.like(Endpoint.Ports[0], { TargetPort: 80, PublishedPort: 8077 });
    t.true(Endpoint.VirtualIPs.some(({ Addr }) => Addr.startsWith('10.232.77.')));
    await untilRun(client, 'kept');
    // With its secret and its config, on its network, on both nodes.
    await client.createService({ ...Spec, Name: 'after', EndpointSpec: {} } as Docker.CreateServiceOptions);
    await untilRun(client, 'after');
  });
}
