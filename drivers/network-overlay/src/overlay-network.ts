import type { NetworkPeer, NetworkSpec, NetworkTunnel } from '@gantry/core/contracts';
import { ConnectedNetwork, contains, isEncrypted, withoutPrefix } from '@gantry/lib-network';

/** All endpoints that other nodes have on a network, as of a revision. */
interface PeerSet {
  readonly revision: number;
  readonly peers: readonly NetworkPeer[];
}

/** A network, the namespace with its bridge, and its endpoints on this node. */
export class OverlayNetwork extends ConnectedNetwork {
  /** Undefined until the engine has named them: the kernel keeps what an earlier daemon has set. */
  peerSet: PeerSet | undefined;

  constructor(
    spec: NetworkSpec,
    /** File of the namespace. */
    readonly path: string,
    readonly mtu: number,
  ) {
    super(spec);
  }

  get isEncrypted(): boolean {
    return isEncrypted(this.spec.options);
  }

  /** Encrypted networks have the UDP port after that of the others, so that policies recognize their packets. */
  get tunnel(): NetworkTunnel | undefined {
    const { tunnel } = this.spec;
    return tunnel === undefined || !this.isEncrypted ? tunnel : { ...tunnel, port: tunnel.port + 1 };
  }

  /** The network connects containers with each other only. */
  override gatewayFor(): undefined {
    return undefined;
  }

  /** The subnets that an endpoint reaches beside its own: they are on the same link. */
  subnetsBeside(address: string | undefined): readonly string[] {
    if (address === undefined) return [];
    return this.spec.pools
      .map(({ subnet }) => subnet)
      .filter((subnet) => !subnet.includes(':') && !contains(subnet, withoutPrefix(address)));
  }
}
