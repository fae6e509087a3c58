import { Config, inject, injectable, Logger } from '@gantry/core/driver';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';
import type { BridgeConfig } from './config.js';

const settings = { ipv4: 'net/ipv4/ip_forward', ipv6: 'net/ipv6/conf/all/forwarding' } as const;

/** IP forwarding of the host, without which containers have no route to the outside. */
@injectable()
export class Forwarding {
  readonly #required = new Set<keyof typeof settings>();

  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
    @inject(Logger) private readonly log: Logger,
  ) {}

  require(family: keyof typeof settings): void {
    if (this.#required.has(family)) return;
    this.#required.add(family);
    if (this.#isOff(family)) this.#enable(family);
  }

  /** Enables forwarding again when another program has disabled it. */
  check(): void {
    if (!this.config.ipForward) return;
    for (const family of this.#required) if (this.#isOff(family)) this.#enable(family);
  }

  #isOff(family: keyof typeof settings): boolean {
    return this.sysctl.read(settings[family]) === '0';
  }

  #enable(family: keyof typeof settings): void {
    const facts = { event: 'forwarding.off', setting: settings[family] };
    if (!this.config.ipForward) {
      this.log.warn(facts, 'IP forwarding is disabled and ipForward is off: containers cannot reach the outside');
      return;
    }
    if (family === 'ipv6') this.#keepRouterAdvertisements();
    this.sysctl.write(settings[family], 1);
    this.log.warn(facts, 'IP forwarding was disabled on this host; enabled it');
  }

  /** A forwarding host ignores router advertisements, and would lose its own IPv6, unless accept_ra is 2. */
  #keepRouterAdvertisements(): void {
    for (const { name } of this.netlink.use(undefined, (socket) => socket.links())) {
      const setting = `net/ipv6/conf/${name}/accept_ra`;
      if (this.sysctl.read(setting) === '1') this.sysctl.write(setting, 2);
    }
  }
}
