import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';

/**
 * Sets the loopback interface up. IPv6 stays off until an endpoint brings an address of it: an interface that speaks
 * IPv6 unasked listens to whoever pretends to be a router.
 */
export function prepareNamespace(path: string): void {
  kernelNamespaces.runInNetwork(path, () => {
    for (const scope of ['all', 'default']) {
      const setting = `net/ipv6/conf/${scope}/disable_ipv6`;
      if (kernelSysctl.read(setting) === '0') kernelSysctl.write(setting, 1);
    }
    kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));
  });
}
