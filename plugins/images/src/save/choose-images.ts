import { formatReference, tryParseReference } from '../reference/image-reference.js';
import type { StoredImage } from '../store/image-record.js';
import type { ImageStore } from '../store/image-store.js';

/** An image to save, with the names to save it under. */
export interface ChosenImage {
  readonly image: StoredImage;
  /** `repo:tag`, sorted. */
  readonly tags: readonly string[];
}

/**
 * The images to save for a list of names: a repository stands for all its tags, a tag for itself, an id or a digest for
 * an image without names. Each image comes once, with all its requested names.
 * @throws EngineError `not-found`.
 */
export function chooseImages(store: ImageStore, names: readonly string[]): readonly ChosenImage[] {
  const chosen = new Map<string, { readonly image: StoredImage; readonly tags: Set<string> }>();
  const choose = (image: StoredImage, tags: readonly string[]): void => {
    const { id } = image.record;
    const known = chosen.get(id) ?? { image, tags: new Set() };
    chosen.set(id, known);
    for (const tag of tags) known.tags.add(tag);
  };
  for (const text of names) {
    const tags = tagsOfRepository(store, text);
    for (const tag of tags) choose(store.resolve(tag), [tag]);
    if (tags.length === 0) choose(store.resolve(text), tagNamedBy(store, text));
  }
  return [...chosen.values()].map(({ image, tags }) => ({ image, tags: [...tags].sort() }));
}

/** All tags of a repository; empty for any other reference. */
function tagsOfRepository(store: ImageStore, text: string): readonly string[] {
  const reference = tryParseReference(text);
  if (reference === undefined || reference.tag !== undefined || reference.digest !== undefined) return [];
  const prefix = `${reference.repository}:`;
  return [...store.references()]
    .map(([name]) => name)
    .filter((name) => name.startsWith(prefix) && name.lastIndexOf(':') === prefix.length - 1)
    .sort();
}

function tagNamedBy(store: ImageStore, text: string): readonly string[] {
  const reference = tryParseReference(text);
  if (reference === undefined || reference.digest !== undefined) return [];
  const name = formatReference(reference);
  return store.byReference(name) === undefined ? [] : [name];
}
