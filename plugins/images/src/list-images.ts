import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { formatReference, tryParseReference } from './reference/image-reference.js';
import { createdAt } from './store/created-at.js';
import type { StoredImage } from './store/image-record.js';
import { imageSize } from './store/image-size.js';
import { ImageStore } from './store/image-store.js';

/** Spec: GET /images/json. */
export interface ImageListQuery {
  readonly all: boolean;
  /** Only images with this name, a pattern with `*` and `?`. */
  readonly name?: string;
  readonly dangling?: boolean;
  readonly labels: readonly string[];
  /** Only images created before, or since, one of these. */
  readonly before: readonly string[];
  readonly since: readonly string[];
  /** Only images created before this, in nanoseconds since 1970. */
  readonly until?: bigint;
  readonly references: readonly string[];
}

export interface ListedImage {
  readonly image: StoredImage;
  /** Names that match the query. */
  readonly names: readonly string[];
  /** Bytes of all layers. */
  readonly size: number;
}

/** Lists images. */
@injectable()
export class ListImages {
  constructor(@inject(ImageStore) private readonly store: ImageStore) {}

  /** Newest first. @throws EngineError `not-found` for an absent image in `before` or `since`. */
  list(query: ImageListQuery): readonly ListedImage[] {
    const before = query.before.map((text) => createdAt(this.store.resolve(text)));
    const since = query.since.map((text) => createdAt(this.store.resolve(text)));
    const parents = new Set([...this.store.images()].map(({ record }) => record.parent));
    const names = namesByImage(this.store);
    const listed: ListedImage[] = [];
    for (const image of this.store.images()) {
      const own = names.get(image.record.id) ?? [];
      const unnamed = own.length === 0;
      if (unnamed && !query.all && parents.has(image.record.id)) continue;
      // An image with a digest but no tag matches both values of the filter.
      if (query.dangling === true && own.some((name) => !name.includes('@'))) continue;
      if (query.dangling === false && unnamed) continue;
      if (!before.every((time) => createdAt(image) < time) || !since.every((time) => createdAt(image) > time)) continue;
      if (query.until !== undefined && BigInt(createdAt(image)) * 1_000_000n >= query.until) continue;
      if (!query.labels.every((label) => hasLabel(image, label))) continue;
      const matching = own.filter((name) => isWanted(name, query));
      const isByName = query.name !== undefined || query.references.length > 0;
      if (isByName && matching.length === 0) continue;
      listed.push({ image, names: matching, size: imageSize(this.store, image) });
    }
    return listed.sort((a, b) => createdAt(b.image) - createdAt(a.image));
  }
}

function namesByImage(store: ImageStore): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, id] of store.references()) {
    const list = names.get(id);
    if (list === undefined) names.set(id, [name]);
    else list.push(name);
  }
  for (const list of names.values()) list.sort();
  return names;
}

function hasLabel({ configuration }: StoredImage, wanted: string): boolean {
  const [key = '', ...value] = wanted.split('=');
  const actual = configuration.config?.Labels?.[key];
  return actual !== undefined && (value.length === 0 || actual === value.join('='));
}

function isWanted(name: string, query: ImageListQuery): boolean {
  if (query.name !== undefined && !matchesName(name, query.name)) return false;
  return query.references.length === 0 || query.references.some((pattern) => matchesName(name, pattern));
}

/** A repository with or without tag, with `*`, `?` and `[...]` as in path patterns. */
function matchesName(name: string, pattern: string): boolean {
  const exact = tryParseReference(pattern);
  if (exact?.tag !== undefined || exact?.digest !== undefined) return name === formatReference(exact);
  const repository = name.replace(/(@|:(?=[^/]*$)).*$/, '');
  if (exact !== undefined) return repository === exact.repository;
  const expression = globExpression(pattern);
  return expression.test(repository) || expression.test(name);
}

function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  try {
    return new RegExp(`^${source}$`);
  } catch (error) {
    throw invalidArgument(`filter: "${pattern}" is not a pattern such as team/*`, { cause: error });
  }
}
