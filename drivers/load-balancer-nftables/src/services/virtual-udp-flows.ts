import type { BalancedService } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { Conntrack } from '@gantry/lib-linux/conntrack';

/**
 * A flow of UDP packets to a virtual address has no end either: the kernel forgets those that a backend answers which its
 * service does not have any more. Backends that were removed while no daemon ran are not known.
 */
@injectable()
export class VirtualUdpFlows {
  /** `virtual address backend` of each, by the path of a sandbox. */
  readonly #backends = new Map<string, ReadonlySet<string>>();

  constructor(@inject(Conntrack.token) private readonly conntrack: Conntrack) {}

  /** Called when the rules of a sandbox are in effect. */
  follow(path: string, services: readonly BalancedService[]): void {
    const present = new Set(services.flatMap(({ address, backends }) => backends.map((each) => `${address} ${each}`)));
    const gone = [...(this.#backends.get(path) ?? [])].filter((each) => !present.has(each));
    for (const answeredBy of new Set(gone.map((each) => each.slice(each.indexOf(' ') + 1)))) {
      this.conntrack.forget({ family: 'ipv4', protocol: 'udp', answeredBy }, path);
    }
    if (present.size > 0) this.#backends.set(path, present);
    else this.#backends.delete(path);
  }
}
