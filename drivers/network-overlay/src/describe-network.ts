import type { NetworkSpec } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { EncryptedTunnels } from './encryption/encrypted-tunnels.js';
import { HostNetlink } from './host-netlink.js';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { OverlayNetwork } from './overlay-network.js';
import { parseOverlayOptions } from './parse-overlay-options.js';

const ethernetMtu = 1500;
/** What a tunnel adds to a packet: Ethernet, IP, UDP and VXLAN headers. */
const tunnelOverhead = 50;
/** What ESP adds: its header, the initialization vector, the trailer, and what authenticates the packet. */
const encryptionOverhead = 34;
/** ESP pads to words, which a packet of full size leaves no room for. */
const word = 4;

/** Networks as their specifications have them. */
@injectable()
export class DescribeNetwork {
  constructor(
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(EncryptedTunnels) private readonly encryption: EncryptedTunnels,
  ) {}

  /** @throws EngineError `invalid-argument` for an option, `not-implemented` for encryption where the kernel lacks it. */
  validate({ options }: NetworkSpec): void {
    parseOverlayOptions(options);
    this.encryption.check(options);
  }

  describe(spec: NetworkSpec): OverlayNetwork {
    const { encryption, mtu } = parseOverlayOptions(spec.options);
    const path = this.namespaces.pathOf(spec.id);
    return new OverlayNetwork(spec, path, mtu ?? this.#defaultMtu(encryption !== undefined));
  }

  /** A packet with its tunnel's headers has to fit through the host's default route. */
  #defaultMtu(isEncrypted: boolean): number {
    const route = this.host.routes().find(({ destination, link }) => destination === 'default' && link !== undefined);
    const mtu = route?.link === undefined ? undefined : this.host.link(route.link)?.mtu;
    const plain = Math.min(ethernetMtu, mtu ?? ethernetMtu) - tunnelOverhead;
    return isEncrypted ? Math.floor((plain - encryptionOverhead) / word) * word : plain;
  }
}
