import { inject, injectable } from '@gantry/core/driver';
import { PruneFilters, queryOf, type Router, sendJson } from '@gantry/core/http';
import { platformParameter } from '../configuration/platform-parameter.js';
import { PruneImages } from '../prune-images.js';
import { RemoveImage } from '../remove-image.js';
import { TagImage } from '../tag-image.js';

/** Spec: tag, removal and prune of Images. */
@injectable()
export class NamingRoutes {
  constructor(
    @inject(TagImage) private readonly tagImage: TagImage,
    @inject(RemoveImage) private readonly removeImage: RemoveImage,
    @inject(PruneImages) private readonly pruneImages: PruneImages,
  ) {}

  declare(router: Router): void {
    router.post('/images/*name/tag', async (ctx) => {
      const query = queryOf(ctx);
      await this.tagImage.tag(ctx.params.name, query.string('repo') ?? '', query.string('tag') ?? '');
      ctx.status = 201;
    });
    router.post('/images/prune', async (ctx) => {
      const filters = PruneFilters.of(queryOf(ctx), ['dangling']);
      const { removed, reclaimed } = await this.pruneImages.prune(filters, ctx.state);
      sendJson(ctx, { ImagesDeleted: removed.length > 0 ? removed : null, SpaceReclaimed: reclaimed });
    });
    router.delete('/images/*name', async (ctx) => {
      const query = queryOf(ctx);
      const options = {
        force: query.boolean('force'),
        prune: !query.boolean('noprune'),
        platform: platformParameter(query, 'platforms'),
      };
      sendJson(ctx, await this.removeImage.remove(ctx.params.name, options));
    });
  }
}
