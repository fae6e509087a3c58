import type { JoinedEndpoint, JoinRequest, NetworkSpec } from '@gantry/core/contracts';
import { ConnectedNetwork } from '../connected-network.js';
import type { ChildLinkKind, ChildLinkOptions } from './child-link-kind.js';
import { isolatedNamesOf } from './link-names.js';

/** A network, its parent interface and its endpoints. Its gateways are routers of the external network. */
export class ChildLinkNetwork extends ConnectedNetwork {
  readonly options: ChildLinkOptions;

  constructor(
    spec: NetworkSpec,
    private readonly kind: ChildLinkKind,
  ) {
    super(spec);
    this.options = kind.parseOptions(spec.options);
  }

  /** The interface on which the containers' interfaces are created. */
  get parent(): string {
    return this.options.parent ?? isolatedNamesOf(this.kind, this.id)[0];
  }

  override gatewayFor(address: string | undefined): string | undefined {
    return this.options.routed === true ? undefined : super.gatewayFor(address);
  }

  /** Routes of routed links lead onto the link itself. */
  override gatewaysFor(addresses: Pick<JoinRequest, 'ipv4' | 'ipv6'>): string[] {
    if (this.options.routed !== true || this.spec.internal) return super.gatewaysFor(addresses);
    return [...(addresses.ipv4 === undefined ? [] : ['0.0.0.0']), ...(addresses.ipv6 === undefined ? [] : ['::'])];
  }

  /** Links without hardware addresses of their own show none. */
  override describe(request: JoinRequest): JoinedEndpoint {
    const joined = super.describe(request);
    return this.kind.ownHardwareAddress ? joined : { ...joined, macAddress: '' };
  }
}
