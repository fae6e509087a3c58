import type { NetworkSpec } from '@gantry/core/contracts';
import { ConnectedNetwork } from '@gantry/lib-network';
import type { MacvlanOptions } from './options/macvlan-options.js';
import { islandNamesOf } from './options/names.js';

/** A network, the interface it lies on and who is on it. Its gateways are the routers of the network outside. */
export class MacvlanNetwork extends ConnectedNetwork {
  constructor(
    spec: NetworkSpec,
    readonly options: MacvlanOptions,
  ) {
    super(spec);
  }

  /** The interface that the containers' ones lie on. */
  get parent(): string {
    return this.options.parent ?? islandNamesOf(this.id)[0];
  }
}
