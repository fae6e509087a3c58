import { invalidArgument } from '@gantry/core/errors';
import type { StoredImage } from './image-record.js';
import { formatReference, tryParseReference } from './reference.js';
import type { ImageStore } from './store.js';

/** Spec: GET /images/json. */
export interface ImageListQuery {
  readonly all: boolean;
  /** Only images with this name; `*` and `?` stand for anything. */
  readonly name?: string;
  readonly dangling?: boolean;
  readonly labels: readonly string[];
  /** Only images created before, or since, one of these. */
  readonly before: readonly string[];
  readonly since: readonly string[];
  readonly references: readonly string[];
}

export interface ListedImage {
  readonly image: StoredImage;
  /** Names that the query lets through. */
  readonly names: readonly string[];
}

/** Newest first. @throws EngineError `not-found` for an absent image in `before` or `since`. */
export function listImages(store: ImageStore, query: ImageListQuery): readonly ListedImage[] {
  const before = query.before.map((text) => createdAt(store.resolve(text)));
  const since = query.since.map((text) => createdAt(store.resolve(text)));
  const parents = new Set([...store.images()].map(({ record }) => record.parent));
  const names = namesByImage(store);
  const listed: ListedImage[] = [];
  for (const image of store.images()) {
    const own = names.get(image.record.id) ?? [];
    const unnamed = own.length === 0;
    if (unnamed && !query.all && parents.has(image.record.id)) continue;
    // One that has a digest and no tag is neither plainly dangling nor plainly not: both answers list it.
    if (query.dangling === true && own.some((name) => !name.includes('@'))) continue;
    if (query.dangling === false && unnamed) continue;
    if (!before.every((time) => createdAt(image) < time) || !since.every((time) => createdAt(image) > time)) continue;
    if (!query.labels.every((label) => hasLabel(image, label))) continue;
    const wanted = own.filter((name) => isWanted(name, query));
    const named = query.name !== undefined || query.references.length > 0;
    if (named && wanted.length === 0) continue;
    listed.push({ image, names: wanted });
  }
  return listed.sort((a, b) => createdAt(b.image) - createdAt(a.image));
}

/** Milliseconds since the epoch. */
export const createdAt = ({ configuration }: StoredImage): number => {
  const time = Date.parse(configuration.created ?? '');
  return Number.isNaN(time) ? 0 : time;
};

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
