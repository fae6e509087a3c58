import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';

/** Addresses of the host and of a neighbour outside, on the one network between them. */
export const host = { ipv4: '10.99.0.1', ipv6: 'fd99::1' };
export const outside = { ipv4: '10.99.0.2', ipv6: 'fd99::2' };

interface World {
  /** The neighbour's network namespace. */
  readonly outside: string;
  /** For files of the tests. */
  readonly directory: string;
  /** Removes the neighbour. */
  end(): void;
}

/**
 * Moves the test process to a network namespace of its own, connected to a neighbour that uses it as its router. The real
 * host is not touched; what the tests leave disappears with the process.
 */
export function enterWorld(): World {
  kernelNamespaces.leaveNetwork();
  const directory = mkdtempSync(join(tmpdir(), 'gantry-bridge-'));
  const neighbour = join(directory, 'outside');
  kernelNamespaces.createNetwork(neighbour);
  const namespaceFd = kernelNamespaces.open(neighbour);
  kernelNetlink.use(undefined, (socket) => {
    socket.addLink({ kind: 'veth', name: 'up0', peer: { name: 'up0', namespaceFd } });
  });
  for (const namespace of [namespaceFd, undefined]) {
    kernelSysctl.write('net/ipv6/conf/up0/accept_dad', 0, namespace);
    kernelNetlink.use(namespace, (socket) => {
      socket.setLink('lo', { up: true });
      socket.setLink('up0', { up: true });
    });
  }
  addAddresses(undefined, host, outside);
  addAddresses(namespaceFd, outside, host);
  return {
    outside: neighbour,
    directory,
    end: () => {
      kernelNamespaces.removeNetwork(neighbour);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Each is the default gateway of the other. */
function addAddresses(namespace: number | undefined, own: typeof host, router: typeof host): void {
  kernelNetlink.use(namespace, (socket) => {
    socket.addAddress('up0', `${own.ipv4}/24`);
    socket.addAddress('up0', { address: `${own.ipv6}/64`, noDad: true });
    socket.addRoute({ destination: 'default', gateway: router.ipv4 });
    socket.addRoute({ destination: 'default', gateway: router.ipv6 });
  });
}
