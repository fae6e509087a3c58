import { inject, injectable } from '@gantry/core/driver';
import { bodyStream, type Context, jsonStream, type Query, queryOf, type Router, statuses } from '@gantry/core/http';
import { decodeRegistryAuth } from '@gantry/engine-api/service';
import { ArchivePolicy } from '../archive-policy.js';
import { type Platform, parsePlatform } from '../configuration/platform.js';
import { PullImage } from '../exchange/pull-image.js';
import { ImportImage } from '../import/import-image.js';
import { openImportSource } from '../import/open-import-source.js';
import { formatReference, parseNameAndTag } from '../reference/image-reference.js';

const platformOf = (query: Query): { readonly platform?: Platform } => {
  const platform = parsePlatform('platform', query.string('platform') ?? '');
  return platform === undefined ? {} : { platform };
};

/** Spec: POST /images/create, which pulls or imports. */
@injectable()
export class CreationRoutes {
  constructor(
    @inject(ImportImage) private readonly importImage: ImportImage,
    @inject(PullImage) private readonly pullImage: PullImage,
    @inject(ArchivePolicy.token) private readonly policy: ArchivePolicy,
  ) {}

  declare(router: Router): void {
    router.post('/images/create', statuses.unavailableIsServerError, (ctx) =>
      (queryOf(ctx).string('fromSrc') ?? '') === '' ? this.#pull(ctx) : this.#import(ctx),
    );
  }

  async #import(ctx: Context): Promise<void> {
    this.policy.checkArchive('tarball');
    const query = queryOf(ctx);
    const source = query.string('fromSrc') ?? '';
    const repository = query.string('repo') ?? '';
    const reference =
      repository === '' ? undefined : formatReference(parseNameAndTag(repository, query.string('tag') ?? ''));
    const archive = source === '-' ? bodyStream(ctx) : await openImportSource(source, ctx.state.signal);
    const stream = jsonStream(ctx);
    const id = await this.importImage.import(
      {
        archive,
        ...(reference !== undefined && { reference }),
        changes: query.all('changes'),
        ...platformOf(query),
        comment: query.string('message') || `Imported from ${source}`,
      },
      { signal: ctx.state.signal },
    );
    stream.write({ status: id });
  }

  async #pull(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const parsed = parseNameAndTag(query.string('fromImage') ?? '', query.string('tag') ?? '');
    const allTags = parsed.tag === undefined && parsed.digest === undefined;
    const stream = jsonStream(ctx);
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    await this.pullImage.pull(
      {
        reference: allTags ? parsed.repository : formatReference(parsed),
        allTags,
        ...platformOf(query),
        ...(credentials !== undefined && { credentials }),
        progress: (item) => void stream.write(item),
      },
      { signal: ctx.state.signal },
    );
  }
}
