import type { JoinRequest, PublishedPort } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { type ConnectionFilter, Conntrack } from '@gantry/lib-linux/conntrack';
import { withoutPrefix } from '@gantry/lib-network';

/**
 * Connection tracking entries of published UDP ports. A client that keeps sending keeps its entry alive, and with it the
 * old destination of its packets.
 */
@injectable()
export class UdpFlows {
  constructor(
    @inject(Conntrack.token) private readonly conntrack: Conntrack,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Called when ports are published, so that existing flows reach the new container. */
  forgetOlderFlows(ports: readonly PublishedPort[]): void {
    const destinationPorts = new Set(ports.filter(isUdp).map(({ hostPort }) => hostPort));
    if (destinationPorts.size === 0) return;
    for (const family of ['ipv4', 'ipv6'] as const) this.#forget({ family, protocol: 'udp', destinationPorts });
  }

  /** Called when ports are released: another container may soon have the address. */
  forgetFlowsTo({ ipv4, ipv6 }: JoinRequest, ports: readonly PublishedPort[]): void {
    if (!ports.some(isUdp)) return;
    if (ipv4 !== undefined) this.#forget({ family: 'ipv4', protocol: 'udp', answeredBy: withoutPrefix(ipv4) });
    if (ipv6 !== undefined) this.#forget({ family: 'ipv6', protocol: 'udp', answeredBy: withoutPrefix(ipv6) });
  }

  /** A failure is logged: new flows work without it. */
  #forget(filter: ConnectionFilter): void {
    try {
      this.conntrack.forget(filter);
    } catch (error) {
      const facts = { event: 'flows.not-deleted', error };
      this.log.warn(facts, 'existing UDP flows of a published port may keep their old destination');
    }
  }
}

const isUdp = ({ protocol }: PublishedPort): boolean => protocol === 'udp';
