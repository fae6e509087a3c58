import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FakePlugin, type Method } from '@gantry/lib-plugin-protocol/testing';
import { type DaemonOptions, type Scope, type SwarmNode, startNodes } from '@gantry/test-nodes';

/** Engines with a plugin each, which runs in the network of its node. */
interface NodesWithPlugins {
  readonly nodes: readonly SwarmNode[];
  /** One for each node. */
  readonly plugins: readonly PluginOfNode[];
}

interface PluginOfNode {
  /** The one that runs now. */
  readonly present: FakePlugin;
  /** Ends it, and starts another one at the same socket. */
  restart(): Promise<void>;
}

/** @param methodsOf those of each start of a plugin: what a process of it would keep. */
export async function startNodesWithPlugins(
  t: Scope,
  count: number,
  name: string,
  methodsOf: (node: () => SwarmNode) => Record<string, Method>,
  options: DaemonOptions = {},
): Promise<NodesWithPlugins> {
  let nodes: readonly SwarmNode[] = [];
  const plugins: PluginOfNode[] = [];
  nodes = await startNodes(t, count, (number) => ({
    ...options,
    async prepare(directory) {
      const socket = path.join(directory, 'plugins', `${name}.sock`);
      await mkdir(path.dirname(socket));
      const start = () =>
        FakePlugin.start(
          methodsOf(() => nodes[number - 1] as SwarmNode),
          socket,
        );
      let present = await start();
      t.teardown(() => present.stop());
      plugins[number - 1] = {
        get present() {
          return present;
        },
        async restart() {
          await present.stop();
          present = await start();
        },
      };
    },
  }));
  return { nodes, plugins };
}

interface Discovered {
  readonly Address: string;
  readonly BindAddress: string;
  readonly Self: boolean;
}

/** A network plugin of global scope: bridges that it connects by VXLAN with the nodes that are announced to it. */
export function vxlanPlugin(node: () => SwarmNode): Record<string, Method> {
  const peers = new Set<string>();
  const links = new Set<string>();
  let own = '';
  const ip = (...command: readonly string[]) => node().run('ip', ...command);
  const flood = (what: 'append' | 'delete', link: string, peer: string) =>
    node().run('bridge', 'fdb', what, '00:00:00:00:00:00', 'dev', link, 'dst', peer);
  const dataOf = (body: Readonly<Record<string, unknown>>) => body.DiscoveryData as Discovered;
  const endpointOf = ({ EndpointID: id }: Readonly<Record<string, unknown>>) => String(id).slice(0, 10);
  const bridgeOf = ({ NetworkID: id }: Readonly<Record<string, unknown>>) => `b-${String(id).slice(0, 10)}`;
  return {
    'Plugin.Activate': () => ({ Implements: ['NetworkDriver'] }),
    'NetworkDriver.GetCapabilities': () => ({ Scope: 'global', ConnectivityScope: 'global' }),
    'NetworkDriver.DiscoverNew': async (body) => {
      const { Address, Self } = dataOf(body);
      if (Self) own = Address;
      else if (!peers.has(Address)) {
        peers.add(Address);
        for (const link of links) await flood('append', link, Address);
      }
    },
    'NetworkDriver.DiscoverDelete': async (body) => {
      const { Address } = dataOf(body);
      if (peers.delete(Address)) for (const link of links) await flood('delete', link, Address);
    },
    'NetworkDriver.AllocateNetwork': ({ Options }) => ({ Options: { number: '77', ...(Options as object) } }),
    'NetworkDriver.FreeNetwork': () => ({}),
    'NetworkDriver.CreateNetwork': async (body) => {
      const options = body.Options as Readonly<Record<string, Readonly<Record<string, string>>>>;
      const { number = '' } = options['com.docker.network.generic'] ?? {};
      const [bridge, link] = [bridgeOf(body), `vx${number}`];
      const tunnel = ['id', number, 'local', own, 'dstport', '4799', 'dev', 'eth0'];
      await ip('link', 'add', bridge, 'type', 'bridge');
      await ip('link', 'add', link, 'type', 'vxlan', ...tunnel);
      await ip('link', 'set', link, 'master', bridge, 'up');
      await ip('link', 'set', bridge, 'up');
      links.add(link);
      for (const peer of peers) await flood('append', link, peer);
    },
    'NetworkDriver.DeleteNetwork': async (body) => {
      await ip('link', 'delete', bridgeOf(body));
      for (const link of links) await ip('link', 'delete', link);
      links.clear();
    },
    'NetworkDriver.CreateEndpoint': async (body) => {
      const name = endpointOf(body);
      await ip('link', 'add', `h-${name}`, 'type', 'veth', 'peer', 'name', `c-${name}`);
      await ip('link', 'set', `h-${name}`, 'master', bridgeOf(body), 'up');
      return { Interface: {} };
    },
    'NetworkDriver.Join': (body) => ({ InterfaceName: { SrcName: `c-${endpointOf(body)}`, DstPrefix: 'eth' } }),
    'NetworkDriver.Leave': () => ({}),
    'NetworkDriver.DeleteEndpoint': async (body) => void (await ip('link', 'delete', `h-${endpointOf(body)}`)),
  };
}

/** A volume plugin of global scope: what all its processes share is in one place. */
export function sharedVolumePlugin(directory: string): () => Record<string, Method> {
  const names = new Set<string>();
  const volume = (name: unknown) => ({ Name: name, Mountpoint: '' });
  return () => ({
    'Plugin.Activate': () => ({ Implements: ['VolumeDriver'] }),
    'VolumeDriver.Capabilities': () => ({ Capabilities: { Scope: 'global' } }),
    'VolumeDriver.Create': ({ Name }) => void names.add(String(Name)),
    'VolumeDriver.Remove': ({ Name }) => void names.delete(String(Name)),
    'VolumeDriver.List': () => ({ Volumes: [...names].map(volume) }),
    'VolumeDriver.Get': ({ Name }) => {
      if (!names.has(String(Name))) throw new Error('no such volume');
      return { Volume: volume(Name) };
    },
    'VolumeDriver.Mount': async ({ Name }) => {
      const mountpoint = path.join(directory, String(Name));
      await mkdir(mountpoint, { recursive: true });
      return { Mountpoint: mountpoint };
    },
    'VolumeDriver.Unmount': () => ({}),
  });
}
