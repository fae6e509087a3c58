/** Ids of images by name, and the names of each image. */
export class ReferenceIndex {
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, Set<string>>();

  get(name: string): string | undefined {
    return this.#ids.get(name);
  }

  has(name: string): boolean {
    return this.#ids.has(name);
  }

  /** The name is no longer that of another image. */
  set(name: string, imageId: string): void {
    this.delete(name);
    this.#ids.set(name, imageId);
    const names = this.#names.get(imageId);
    if (names === undefined) this.#names.set(imageId, new Set([name]));
    else names.add(name);
  }

  delete(name: string): void {
    const imageId = this.#ids.get(name);
    if (imageId === undefined) return;
    this.#ids.delete(name);
    const names = this.#names.get(imageId);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(imageId);
  }

  /** Sorted. */
  namesOf(imageId: string): readonly string[] {
    return [...(this.#names.get(imageId) ?? [])].sort();
  }

  entries(): Iterable<readonly [name: string, imageId: string]> {
    return this.#ids;
  }
}
