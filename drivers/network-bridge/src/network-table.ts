import { injectable } from '@gantry/core/driver';
import type { BridgeEndpoint, BridgeNetwork } from './bridge-network.js';

/** The networks that the engine has asked for, by id. */
@injectable()
export class NetworkTable extends Map<string, BridgeNetwork> {
  *endpoints(): Generator<BridgeEndpoint> {
    for (const network of this.values()) yield* network.endpoints.values();
  }
}
