import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter, type Parameters, queryParameters } from '@gantry/hosted-api/service';
import { MapAuthor } from '../imports/map-author.js';
import { ImportAuthors } from '../store/import-authors.js';
import { authorJson } from '../wire/import-json.js';
import { ImportAccess } from './import-access.js';
import { ImportEndpoints } from './import-endpoints.js';

const path = '/repos/:owner/:repo/import/authors';
const resource = 'CommitAuthor';

/** Spec: authors of an import. */
@injectable()
export class AuthorRoutes {
  constructor(
    @inject(ImportEndpoints) private readonly endpoints: ImportEndpoints,
    @inject(ImportAccess) private readonly access: ImportAccess,
    @inject(ImportAuthors) private readonly authors: ImportAuthors,
    @inject(MapAuthor) private readonly mapAuthor: MapAuthor,
  ) {}

  async start(): Promise<void> {
    this.endpoints.serve((router) => this.declare(router));
  }

  declare(router: HostedRouter): void {
    router.get(path, (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      const query = queryParameters(ctx, resource);
      const since = query.string('since') ?? '0';
      if (!/^\d{1,15}$/.test(since)) throw query.invalid('since', 'the number of an author');
      const baseUrl = this.endpoints.baseUrl(ctx);
      const authors = this.authors.of(record.id, Number(since));
      sendJson(
        ctx,
        authors.map((author) => authorJson(author, repository, baseUrl)),
      );
    });
    router.patch(`${path}/:author`, async (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      const body = (await bodyParameters(ctx, resource)).only('email', 'name');
      const [email, name] = [readEmail(body), readName(body)];
      const names = { ...(email !== undefined && { email }), ...(name !== undefined && { name }) };
      const number = /^[1-9]\d{0,14}$/.test(ctx.params.author) ? Number(ctx.params.author) : 0;
      const author = await this.mapAuthor.map(record, number, names);
      if (author === undefined) throw notFound('no such author');
      sendJson(ctx, authorJson(author, repository, this.endpoints.baseUrl(ctx)));
    });
  }
}

/** Characters that delimit names and addresses in commits. */
const forbidden = /[\p{Cc}<>]/u;
const maxLength = 250;

function readEmail(body: Parameters): string | undefined {
  const email = body.string('email');
  if (email === undefined) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(email) && !forbidden.test(email) && email.length <= maxLength) return email;
  throw body.invalid('email', 'an address such as hubot@example.com');
}

function readName(body: Parameters): string | undefined {
  const name = body.string('name');
  if (name === undefined) return undefined;
  if (name.trim() !== '' && !forbidden.test(name) && name.length <= maxLength) return name.trim();
  throw body.invalid('name', `a name of 1 to ${maxLength} characters without < and >`);
}
