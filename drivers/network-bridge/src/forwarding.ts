import type { Logger } from '@gantry/core/driver';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';

const switches = { ipv4: 'net/ipv4/ip_forward', ipv6: 'net/ipv6/conf/all/forwarding' } as const;

/** Whether the host passes packets on between its interfaces, without which containers reach nobody. */
export class Forwarding {
  readonly #needed = new Set<keyof typeof switches>();

  constructor(
    private readonly mayChange: boolean,
    private readonly log: Logger,
  ) {}

  require(family: keyof typeof switches): void {
    if (this.#needed.has(family)) return;
    this.#needed.add(family);
    if (this.#isOff(family)) this.#switchOn(family);
  }

  /** Somebody may have loaded settings anew that say otherwise. */
  check(): void {
    for (const family of this.#needed) if (this.mayChange && this.#isOff(family)) this.#switchOn(family);
  }

  #isOff(family: keyof typeof switches): boolean {
    return kernelSysctl.read(switches[family]) === '0';
  }

  #switchOn(family: keyof typeof switches): void {
    const facts = { event: 'forwarding.off', setting: switches[family] };
    if (!this.mayChange) {
      this.log.warn(facts, 'the host does not forward packets, and ipForward is off: containers reach nobody outside');
      return;
    }
    if (family === 'ipv6') keepListeningToRouters();
    kernelSysctl.write(switches[family], 1);
    this.log.warn(facts, 'the host did not forward packets between its interfaces: it does now');
  }
}

/** A host that forwards does not believe routers any more, and would lose its own IPv6, unless told to (2). */
function keepListeningToRouters(): void {
  for (const { name } of kernelNetlink.use(undefined, (socket) => socket.links())) {
    const setting = `net/ipv6/conf/${name}/accept_ra`;
    if (kernelSysctl.read(setting) === '1') kernelSysctl.write(setting, 2);
  }
}
