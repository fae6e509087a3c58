import { inject, injectable } from '@gantry/core/driver';
import { ImageExchange } from '@gantry/images/service';
import { canonical } from './canonical.js';
import { FirstImages } from './first-images.js';

/** Images that steps of earlier builds made. */
@injectable()
export class StepCache {
  constructor(
    @inject(ImageExchange.token) private readonly exchange: Pick<ImageExchange, 'childrenOf'>,
    @inject(FirstImages) private readonly firstImages: Pick<FirstImages, 'has'>,
  ) {}

  /**
   * The newest image made by the same step on the same parent. Steps are compared by the configuration of their
   * container, whose command includes arguments and the digests of copied files. Images that were pulled or loaded are
   * never taken, whatever their documents say.
   */
  find(parent: string | undefined, containerConfig: object): string | undefined {
    const wanted = canonical(containerConfig);
    let found: { readonly id: string; readonly created: string } | undefined;
    for (const image of this.exchange.childrenOf(parent)) {
      if (parent === undefined && !this.firstImages.has(image.id)) continue;
      if (image.containerConfig === undefined || canonical(image.containerConfig) !== wanted) continue;
      if (found === undefined || image.created > found.created) found = image;
    }
    return found?.id;
  }
}
