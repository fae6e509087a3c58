import { notFound } from '@gantry/core/errors';
import { bodyStream, type Context, jsonStream, progressItem, queryOf, type Router, sendJson } from '@gantry/core/http';
import { decodeRegistryAuth } from '@gantry/engine-api/service';
import type { ImageExchange } from './exchange.js';
import type { ImageImporter } from './import.js';
import { openImportSource } from './import-source.js';
import { listImages } from './list.js';
import type { ImageLoader } from './load/load.js';
import { parseReference } from './reference.js';
import type { ImageRemover } from './remove.js';
import type { ImageSaver } from './save/save.js';
import type { ImageStore } from './store.js';
import type { ImageTagger } from './tag.js';
import { toHistory, toInspect, toSummary } from './wire.js';

/** What the routes of this area call. */
export interface ImageArea {
  readonly store: ImageStore;
  readonly loader: ImageLoader;
  readonly importer: ImageImporter;
  readonly saver: ImageSaver;
  readonly remover: ImageRemover;
  readonly tagger: ImageTagger;
  readonly exchange: ImageExchange;
  /** What inspect shows as GraphDriver. */
  describeStorage(topChainId: string | undefined): Promise<{ name: string; data: Readonly<Record<string, string>> }>;
}

const listFilters = ['dangling', 'label', 'before', 'since', 'reference'] as const;

/** Spec: Images, and load of System and other. */
export function imageRoutes(router: Router, area: ImageArea): void {
  router.get('/images/json', (ctx) => {
    const query = queryOf(ctx);
    const filters = query.filters(listFilters);
    const name = query.string('filter');
    const dangling = filters.boolean('dangling');
    const images = listImages(area.store, {
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
      images.map((image) => toSummary(area.store, image, query.boolean('digests'))),
    );
  });

  router.post('/images/create', createImage(area));

  router.post('/images/load', async (ctx) => {
    const quiet = queryOf(ctx).boolean('quiet');
    const stream = jsonStream(ctx);
    await area.loader.load(
      bodyStream(ctx),
      {
        layer: (name, current, total) => {
          // What is half done may be left out for a client that is slow to read; the beginning and the end not.
          if (quiet || (stream.busy && current > 0 && current < total)) return;
          void stream.write(progressItem('Loading layer', name, current, total));
        },
        loaded: ({ id, references }) => {
          const lines = references.map((name) => `Loaded image: ${name}\n`);
          for (const line of lines.length > 0 ? lines : [`Loaded image ID: ${id}\n`]) stream.write({ stream: line });
        },
      },
      { signal: ctx.state.signal },
    );
  });

  router.get('/images/get', (ctx) => save(ctx, area, queryOf(ctx).all('names')));
  router.get('/images/*name/get', (ctx) => save(ctx, area, [ctx.params.name]));

  router.get('/images/*name/json', async (ctx) => {
    const image = resolveForInspect(area.store, ctx.params.name);
    sendJson(ctx, toInspect(area.store, image, await area.describeStorage(image.chainIds.at(-1))));
  });

  router.get('/images/*name/history', (ctx) => {
    sendJson(ctx, toHistory(area.store, area.store.resolve(ctx.params.name)));
  });

  router.post('/images/*name/tag', async (ctx) => {
    const query = queryOf(ctx);
    await area.tagger.tag(ctx.params.name, query.string('repo') ?? '', query.string('tag') ?? '');
    ctx.status = 201;
  });

  router.delete('/images/*name', async (ctx) => {
    const query = queryOf(ctx);
    const options = { force: query.boolean('force'), prune: !query.boolean('noprune') };
    sendJson(ctx, await area.remover.remove(ctx.params.name, options));
  });
}

function save<P>(ctx: Context<P>, { saver }: ImageArea, names: readonly string[]): void {
  const { signal } = ctx.state;
  ctx.body = saver.save(names, { signal });
  ctx.type = 'application/x-tar';
}

/** The words inspect uses differ from those of create and remove. */
function resolveForInspect(store: ImageStore, name: string): ReturnType<ImageStore['resolve']> {
  try {
    return store.resolve(name);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('No such image: ')) {
      throw notFound(`no such image: ${name}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** Spec: POST /images/create. */
function createImage(area: ImageArea) {
  return async (ctx: Context): Promise<void> => {
    const query = queryOf(ctx);
    const source = query.string('fromSrc');
    if (source === undefined || source === '') return pullImage(ctx, area);
    const repository = query.string('repo') ?? '';
    const tag = query.string('tag') ?? '';
    const reference = repository === '' ? undefined : tag === '' ? repository : `${repository}:${tag}`;
    if (reference !== undefined) parseReference(reference);
    const archive = source === '-' ? bodyStream(ctx) : await openImportSource(source, ctx.state.signal);
    const stream = jsonStream(ctx);
    const id = await area.importer.import(
      {
        archive,
        ...(reference !== undefined && { reference }),
        changes: query.all('changes'),
        comment: query.string('message') || `Imported from ${source}`,
      },
      { signal: ctx.state.signal },
    );
    stream.write({ status: id });
  };
}

async function pullImage(ctx: Context, { exchange }: ImageArea): Promise<void> {
  const query = queryOf(ctx);
  const from = query.string('fromImage') ?? '';
  const tag = query.string('tag') ?? '';
  // A digest comes as a tag, too.
  const reference = tag === '' ? from : `${from}${tag.includes(':') ? '@' : ':'}${tag}`;
  const parsed = parseReference(reference);
  const stream = jsonStream(ctx);
  const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
  await exchange.pull(
    {
      reference,
      allTags: parsed.tag === undefined && parsed.digest === undefined,
      ...(credentials !== undefined && { credentials }),
      progress: (item) => void stream.write(item),
    },
    { signal: ctx.state.signal },
  );
}
