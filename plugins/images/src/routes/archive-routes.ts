import { inject, injectable } from '@gantry/core/driver';
import { bodyStream, type Context, jsonStream, progressItem, queryOf, type Router, statuses } from '@gantry/core/http';
import { ArchivePolicy } from '../archive-policy.js';
import { platformParameter } from '../configuration/platform-parameter.js';
import { LoadImages, type LoadProgress } from '../load/load-images.js';
import { SaveImages } from '../save/save-images.js';

/** Spec: GET /images/(name)/get, GET /images/get and POST /images/load. */
@injectable()
export class ArchiveRoutes {
  constructor(
    @inject(LoadImages) private readonly loadImages: LoadImages,
    @inject(SaveImages) private readonly saveImages: SaveImages,
    @inject(ArchivePolicy.token) private readonly policy: ArchivePolicy,
  ) {}

  declare(router: Router): void {
    router.post('/images/load', (ctx) => this.#load(ctx));
    router.get('/images/get', statuses.notFoundIsServerError, (ctx) => this.#save(ctx, queryOf(ctx).all('names')));
    router.get('/images/*name/get', statuses.notFoundIsServerError, (ctx) => this.#save(ctx, [ctx.params.name]));
  }

  async #load(ctx: Context): Promise<void> {
    this.policy.checkArchive('docker-archive');
    const query = queryOf(ctx);
    const platform = platformParameter(query, 'platform');
    const quiet = query.boolean('quiet');
    const stream = jsonStream(ctx);
    // Some clients stop sending when the head comes, which they expect at the end of a quiet load.
    if (!quiet) stream.open();
    try {
      await this.loadImages.load(bodyStream(ctx), loadProgress(stream, quiet), { platform, signal: ctx.state.signal });
    } finally {
      // Clients expect every failure of a load in the stream.
      stream.open();
    }
  }

  #save<P>(ctx: Context<P>, names: readonly string[]): void {
    const platform = platformParameter(queryOf(ctx), 'platform');
    ctx.body = this.saveImages.save(names, { platform, signal: ctx.state.signal });
    ctx.type = 'application/x-tar';
  }
}

/** Writes the progress of a load to the response; with `quiet` only the names of the images. */
function loadProgress(stream: ReturnType<typeof jsonStream>, quiet: boolean): LoadProgress {
  return {
    layer: (name, current, total) => {
      // A slow client may miss intermediate steps of a layer, but neither its beginning nor its end.
      if (quiet || (stream.busy && current > 0 && current < total)) return;
      void stream.write(progressItem('Loading layer', name, current, total));
    },
    loaded: ({ id, references }) => {
      const lines = references.map((name) => `Loaded image: ${name}\n`);
      for (const line of lines.length > 0 ? lines : [`Loaded image ID: ${id}\n`]) stream.write({ stream: line });
    },
  };
}
