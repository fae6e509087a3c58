import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelNamespaces } from '@gantry/linux/namespaces';
import { kernelNetlink } from '@gantry/linux/netlink';

/** Addresses of the host and of a neighbour outside, on the one network between them. */
export const host = { ipv4: '10.99.0.1', ipv6: 'fd99::1' };
export const outside = { ipv4: '10.99.0.2', ipv6: 'fd99::2' };

export interface World {
  /** The neighbour's network namespace. */
  readonly outside: string;
  /** For whatever the tests make. */
  readonly directory: string;
  /** Takes the neighbour away. */
  end(): void;
}

/**
 * Moves the test process to a host of its own, connected to a neighbour that uses it as its router. Nothing of it
 * touches the real host; what the tests leave goes with the process.
 */
export function enterWorld(): World {
  kernelNamespaces.leaveNetwork();
  const directory = mkdtempSync(join(tmpdir(), 'gantry-bridge-'));
  const neighbour = join(directory, 'outside');
  kernelNamespaces.createNetwork(neighbour);
  const namespaceFd = kernelNamespaces.open(neighbour);
  kernelNetlink.use(undefined, (socket) => {
    socket.setLink('lo', { up: true });
    socket.addLink({ kind: 'veth', name: 'up0', peer: { name: 'up0', namespaceFd } });
    socket.addAddress('up0', `${host.ipv4}/24`);
    socket.addAddress('up0', { address: `${host.ipv6}/64`, noDad: true });
    socket.setLink('up0', { up: true });
    socket.addRoute({ destination: 'default', gateway: outside.ipv4 });
  });
  kernelNetlink.use(namespaceFd, (socket) => {
    socket.setLink('lo', { up: true });
    socket.addAddress('up0', `${outside.ipv4}/24`);
    socket.addAddress('up0', { address: `${outside.ipv6}/64`, noDad: true });
    socket.setLink('up0', { up: true });
    socket.addRoute({ destination: 'default', gateway: host.ipv4 });
    socket.addRoute({ destination: 'default', gateway: host.ipv6 });
  });
  return {
    outside: neighbour,
    directory,
    end: () => {
      kernelNamespaces.removeNetwork(neighbour);
      rmSync(directory, { recursive: true });
    },
  };
}
