import type { NetworkSpec } from '@gantry/core/contracts';
import { ConnectedNetwork } from '@gantry/lib-network';
import type { MacvlanOptions } from './options/macvlan-options.js';
import { isolatedNamesOf } from './options/names.js';

/** A network, its parent interface and its endpoints. Its gateways are routers of the external network. */
export class MacvlanNetwork extends ConnectedNetwork {
  constructor(
    spec: NetworkSpec,
    readonly options: MacvlanOptions,
  ) {
    super(spec);
  }

  /** The interface on which the containers' interfaces are created. */
  get parent(): string {
    return this.options.parent ?? isolatedNamesOf(this.id)[0];
  }
}
