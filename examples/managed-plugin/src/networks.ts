import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Body, Methods } from './sdk/serve-plugin.js';

const run = promisify(execFile);
const ip = (...args: readonly string[]) => run('/bin/busybox', ['ip', ...args]);
const short = (id: unknown): string => createHash('sha256').update(String(id)).digest('hex').slice(0, 9);
const bridgeOf = ({ NetworkID }: Body): string => `exb${short(NetworkID)}`;
const linkOf = ({ EndpointID }: Body): string => `exv${short(EndpointID)}`;

const gateways = new Map<unknown, string>();
/** By endpoint: the end of the pair that goes into the container. */
const peers = new Map<unknown, string>();

/** The other end has a name of the kernel's choice: the two name each other by number. */
async function peerOf(link: string): Promise<string> {
  const number = (await readFile(`/sys/class/net/${link}/iflink`, 'utf8')).trim();
  for (const name of await readdir('/sys/class/net')) {
    const index = await readFile(`/sys/class/net/${name}/ifindex`, 'utf8').catch(() => '');
    if (index.trim() === number) return name;
  }
  throw new Error(`${link} has no other end`);
}

/** Networks that are bridges of the host. The engine gives the addresses, and puts the interface into the container. */
export const networks: Methods = {
  'NetworkDriver.GetCapabilities': () => ({ Scope: 'local', ConnectivityScope: 'local' }),
  'NetworkDriver.CreateNetwork': async (body) => {
    const [pool] = body.IPv4Data as readonly { readonly Gateway: string }[];
    const bridge = bridgeOf(body);
    await ip('link', 'add', bridge, 'type', 'bridge');
    if (pool?.Gateway) await ip('address', 'add', pool.Gateway, 'dev', bridge);
    await ip('link', 'set', bridge, 'up');
    gateways.set(body.NetworkID, (pool?.Gateway ?? '').replace(/\/.*/, ''));
    return {};
  },
  'NetworkDriver.DeleteNetwork': async (body) => {
    await ip('link', 'delete', bridgeOf(body));
    gateways.delete(body.NetworkID);
    return {};
  },
  'NetworkDriver.CreateEndpoint': async (body) => {
    const link = linkOf(body);
    await ip('link', 'add', link, 'type', 'veth');
    peers.set(body.EndpointID, await peerOf(link));
    await ip('link', 'set', link, 'master', bridgeOf(body));
    await ip('link', 'set', link, 'up');
    return { Interface: {} };
  },
  'NetworkDriver.Join': ({ EndpointID, NetworkID }) => ({
    InterfaceName: { SrcName: peers.get(EndpointID), DstPrefix: 'eth' },
    Gateway: gateways.get(NetworkID) ?? '',
  }),
  'NetworkDriver.EndpointOperInfo': () => ({ Value: {} }),
  'NetworkDriver.ProgramExternalConnectivity': () => ({}),
  'NetworkDriver.RevokeExternalConnectivity': () => ({}),
  'NetworkDriver.Leave': () => ({}),
  'NetworkDriver.DeleteEndpoint': async (body) => {
    peers.delete(body.EndpointID);
    // Its other end may have gone with the container.
    await ip('link', 'delete', linkOf(body)).catch(() => undefined);
    return {};
  },
};
