import type { Image } from '@gantry/images/service';
import type { PreparedContainer } from '../configuration/prepared-container.js';

/** A container to be. */
export interface ContainerPlan {
  readonly id: string;
  /** Reserved by the caller. */
  readonly name: string;
  /** Held by the caller. */
  readonly image: Image;
  readonly imageName: string;
  readonly prepared: PreparedContainer;
  readonly temporary?: boolean;
}
