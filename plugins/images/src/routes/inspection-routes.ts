import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Context, parseTimestamp, queryOf, type Router, sendJson } from '@gantry/core/http';
import { platformParameter } from '../configuration/platform-parameter.js';
import { ImageHistory } from '../image-history.js';
import { InspectImage } from '../inspect-image.js';
import { ListImages } from '../list-images.js';
import { RegisteredUsers } from '../registered-users.js';
import { SharedSizes } from '../shared-sizes.js';
import { toHistoryItem, toInspect, toSummary } from '../wire.js';

export const listFilters = ['dangling', 'label', 'before', 'since', 'until', 'reference'] as const;

/** Spec: list, inspect and history of Images. */
@injectable()
export class InspectionRoutes {
  constructor(
    @inject(ListImages) private readonly listImages: ListImages,
    @inject(InspectImage) private readonly inspectImage: InspectImage,
    @inject(ImageHistory) private readonly imageHistory: ImageHistory,
    @inject(SharedSizes) private readonly sharedSizes: SharedSizes,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
  ) {}

  declare(router: Router): void {
    router.get('/images/json', (ctx) => this.#list(ctx));
    router.get('/images/*name/json', async (ctx) => {
      const extras = {
        container: !ctx.state.speaks('image-without-container'),
        containerFields: !ctx.state.speaks('image-config-only'),
      };
      const query = queryOf(ctx);
      const platform = platformParameter(query, 'platform');
      if (platform !== undefined && query.boolean('manifests')) {
        throw invalidArgument('conflicting options: manifests and platform options cannot both be set');
      }
      sendJson(ctx, toInspect(await this.inspectImage.inspect(ctx.params.name, platform), extras));
    });
    router.get('/images/*name/history', (ctx) =>
      sendJson(
        ctx,
        this.imageHistory.history(ctx.params.name, platformParameter(queryOf(ctx), 'platform')).map(toHistoryItem),
      ),
    );
  }

  #list(ctx: Context): void {
    const query = queryOf(ctx);
    const filters = query.filters(listFilters);
    const name = query.string('filter');
    const dangling = filters.boolean('dangling');
    const [until] = filters.get('until');
    const images = this.listImages.list({
      all: query.boolean('all'),
      ...(name !== undefined && name !== '' && { name }),
      ...(dangling !== undefined && { dangling }),
      labels: filters.get('label'),
      before: filters.get('before'),
      since: filters.get('since'),
      ...(until !== undefined && { until: parseTimestamp('filters: until', until) }),
      references: filters.get('reference'),
    });
    const sharedSize = query.boolean('shared-size') ? this.sharedSizes.measure() : undefined;
    const countsContainers = ctx.state.speaks('image-container-count');
    sendJson(
      ctx,
      images.map((listed) => ({
        ...toSummary(listed),
        ...(sharedSize !== undefined && { SharedSize: sharedSize(listed.image) }),
        ...(countsContainers && { Containers: this.users.usersOf(listed.image.record.id).length }),
      })),
    );
  }
}
