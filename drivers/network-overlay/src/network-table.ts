import { injectable } from '@gantry/core/driver';
import type { OverlayNetwork } from './overlay-network.js';

/** The networks that the engine has asked for, by id. */
@injectable()
export class NetworkTable extends Map<string, OverlayNetwork> {}
