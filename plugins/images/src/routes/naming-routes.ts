import { inject, injectable } from '@gantry/core/driver';
import { queryOf, type Router, sendJson } from '@gantry/core/http';
import { RemoveImage } from '../remove-image.js';
import { TagImage } from '../tag-image.js';

/** Spec: tag and removal of Images. */
@injectable()
export class NamingRoutes {
  constructor(
    @inject(TagImage) private readonly tagImage: TagImage,
    @inject(RemoveImage) private readonly removeImage: RemoveImage,
  ) {}

  declare(router: Router): void {
    router.post('/images/*name/tag', async (ctx) => {
      const query = queryOf(ctx);
      await this.tagImage.tag(ctx.params.name, query.string('repo') ?? '', query.string('tag') ?? '');
      ctx.status = 201;
    });
    router.delete('/images/*name', async (ctx) => {
      const query = queryOf(ctx);
      const options = { force: query.boolean('force'), prune: !query.boolean('noprune') };
      sendJson(ctx, await this.removeImage.remove(ctx.params.name, options));
    });
  }
}
