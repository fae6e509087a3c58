import { inject, injectable } from '@gantry/core/driver';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';

/** Configures a new network namespace. */
@injectable()
export class NamespaceSetup {
  constructor(
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /**
   * Sets the loopback interface up. IPv6 stays disabled until an endpoint with an IPv6 address joins: an interface with
   * IPv6 would accept router advertisements from any neighbour.
   */
  setUp(path: string): void {
    this.namespaces.runInNetwork(path, () => {
      for (const scope of ['all', 'default']) {
        const setting = `net/ipv6/conf/${scope}/disable_ipv6`;
        if (this.sysctl.read(setting) === '0') this.sysctl.write(setting, 1);
      }
      this.netlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));
    });
  }
}
