import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { bodyStream, type Context, jsonStream, progressItem, queryOf, type Router, sendJson } from '@gantry/core/http';
import { decodeRegistryAuth, EngineApi } from '@gantry/engine-api/service';
import { PullImage } from './exchange/pull-image.js';
import { ImageHistory } from './image-history.js';
import { ImportImage } from './import/import-image.js';
import { openImportSource } from './import/open-import-source.js';
import { InspectImage } from './inspect-image.js';
import { ListImages } from './list-images.js';
import { LoadImages, type LoadProgress } from './load/load-images.js';
import { parseReference } from './reference/image-reference.js';
import { RemoveImage } from './remove-image.js';
import { SaveImages } from './save/save-images.js';
import { TagImage } from './tag-image.js';
import { toHistoryItem, toInspect, toSummary } from './wire.js';

const listFilters = ['dangling', 'label', 'before', 'since', 'reference'] as const;

/** Spec: Images. */
@injectable()
export class ImageRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ListImages) private readonly listImages: ListImages,
    @inject(InspectImage) private readonly inspectImage: InspectImage,
    @inject(ImageHistory) private readonly imageHistory: ImageHistory,
    @inject(TagImage) private readonly tagImage: TagImage,
    @inject(RemoveImage) private readonly removeImage: RemoveImage,
    @inject(ImportImage) private readonly importImage: ImportImage,
    @inject(PullImage) private readonly pullImage: PullImage,
    @inject(LoadImages) private readonly loadImages: LoadImages,
    @inject(SaveImages) private readonly saveImages: SaveImages,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('images', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/images/json', (ctx) => this.#list(ctx));
    router.post('/images/create', (ctx) => this.#create(ctx));
    router.post('/images/load', (ctx) => this.#load(ctx));
    router.get('/images/get', (ctx) => this.#save(ctx, queryOf(ctx).all('names')));
    router.get('/images/*name/get', (ctx) => this.#save(ctx, [ctx.params.name]));
    router.get('/images/*name/json', async (ctx) => {
      const extras = {
        container: !ctx.state.speaks('image-without-container'),
        containerFields: !ctx.state.speaks('image-config-only'),
      };
      sendJson(ctx, toInspect(await this.inspectImage.inspect(ctx.params.name), extras));
    });
    router.get('/images/*name/history', (ctx) =>
      sendJson(ctx, this.imageHistory.history(ctx.params.name).map(toHistoryItem)),
    );
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

  #list(ctx: Context): void {
    const query = queryOf(ctx);
    const filters = query.filters(listFilters);
    const name = query.string('filter');
    const dangling = filters.boolean('dangling');
    const images = this.listImages.list({
      all: query.boolean('all'),
      ...(name !== undefined && name !== '' && { name }),
      ...(dangling !== undefined && { dangling }),
      labels: filters.get('label'),
      before: filters.get('before'),
      since: filters.get('since'),
      references: filters.get('reference'),
    });
    sendJson(
      ctx,
      images.map((image) => toSummary(image)),
    );
  }

  async #load(ctx: Context): Promise<void> {
    const progress = loadProgress(ctx, queryOf(ctx).boolean('quiet'));
    await this.loadImages.load(bodyStream(ctx), progress, { signal: ctx.state.signal });
  }

  #save<P>(ctx: Context<P>, names: readonly string[]): void {
    ctx.body = this.saveImages.save(names, { signal: ctx.state.signal });
    ctx.type = 'application/x-tar';
  }

  async #create(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const source = query.string('fromSrc');
    if (source === undefined || source === '') return this.#pull(ctx);
    const repository = query.string('repo') ?? '';
    const tag = query.string('tag') ?? '';
    const reference = repository === '' ? undefined : tag === '' ? repository : `${repository}:${tag}`;
    if (reference !== undefined) parseReference(reference);
    const archive = source === '-' ? bodyStream(ctx) : await openImportSource(source, ctx.state.signal);
    const stream = jsonStream(ctx);
    const id = await this.importImage.import(
      {
        archive,
        ...(reference !== undefined && { reference }),
        changes: query.all('changes'),
        comment: query.string('message') || `Imported from ${source}`,
      },
      { signal: ctx.state.signal },
    );
    stream.write({ status: id });
  }

  async #pull(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const from = query.string('fromImage') ?? '';
    const tag = query.string('tag') ?? '';
    // Clients send a digest as a tag, too.
    const reference = tag === '' ? from : `${from}${tag.includes(':') ? '@' : ':'}${tag}`;
    const parsed = parseReference(reference);
    const stream = jsonStream(ctx);
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    await this.pullImage.pull(
      {
        reference,
        allTags: parsed.tag === undefined && parsed.digest === undefined,
        ...(credentials !== undefined && { credentials }),
        progress: (item) => void stream.write(item),
      },
      { signal: ctx.state.signal },
    );
  }
}

/** Writes the progress of a load to the response; with `quiet` only the names of the images. */
function loadProgress(ctx: Context, quiet: boolean): LoadProgress {
  const stream = jsonStream(ctx);
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
