import { inject, injectable } from '@gantry/core/driver';
import { ImportAuthors } from '../store/import-authors.js';
import type { AuthorRecord, ImportRecord } from '../store/records.js';
import { RequestRewrite } from './request-rewrite.js';

@injectable()
export class MapAuthor {
  constructor(
    @inject(ImportAuthors) private readonly authors: ImportAuthors,
    @inject(RequestRewrite) private readonly rewrites: RequestRewrite,
  ) {}

  /** Changes name and address of an author. Resolves to undefined when there is no such author. */
  async map(
    { id }: ImportRecord,
    authorId: number,
    names: Partial<Pick<AuthorRecord, 'name' | 'email'>>,
  ): Promise<AuthorRecord | undefined> {
    let mapped: AuthorRecord | undefined;
    await this.rewrites.request(id, (record, transaction) => {
      const author = this.authors.in(transaction, id, authorId);
      mapped = author && { ...author, ...names };
      if (mapped === undefined || (mapped.name === author?.name && mapped.email === author.email)) return undefined;
      this.authors.put(transaction, mapped);
      return record;
    });
    return mapped;
  }
}
