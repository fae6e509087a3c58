import type { BalancedPort } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { Conntrack } from '@gantry/lib-linux/conntrack';
import { keyOf } from './check-ports.js';
import { meshAddress } from './mesh-link.js';

/**
 * A flow of UDP packets has no end, so that the kernel would translate it for as long as the client sends, as when it
 * began: it forgets flows that the rules would translate differently now.
 */
@injectable()
export class UdpFlows {
  constructor(@inject(Conntrack.token) private readonly conntrack: Conntrack) {}

  forget(path: string | undefined, before: readonly BalancedPort[], after: readonly BalancedPort[]): void {
    const earlier = new Map(before.filter(isUdp).map((port) => [keyOf(port), port]));
    const later = new Map(after.filter(isUdp).map((port) => [keyOf(port), port]));
    const changed = new Set<number>();
    for (const [key, { backends, port }] of earlier) {
      const kept = new Set(later.get(key)?.backends);
      if (!later.has(key)) changed.add(port);
      if (path !== undefined)
        for (const gone of backends.filter((each) => !kept.has(each))) this.#inMesh(path, port, gone);
    }
    for (const [key, { backends, port }] of later) {
      if (!earlier.has(key)) changed.add(port);
      // Without backends the mesh itself has answered, by errors.
      const wasIdle = (earlier.get(key)?.backends.length ?? 0) === 0;
      if (path !== undefined && wasIdle && backends.length > 0) this.#inMesh(path, port, meshAddress);
    }
    if (changed.size > 0) this.conntrack.forget({ family: 'ipv4', protocol: 'udp', destinationPorts: changed });
  }

  #inMesh(path: string, port: number, answeredBy: string): void {
    this.conntrack.forget({ family: 'ipv4', protocol: 'udp', answeredBy, destinationPorts: new Set([port]) }, path);
  }
}

const isUdp = ({ protocol }: BalancedPort): boolean => protocol === 'udp';
