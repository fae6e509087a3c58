import type { Refs } from './refs.js';

/** A branch's or tag's name in Git for one that another system allows. */
export function plainRefName(name: string): string {
  const plain = name
    .replace(/[\s~^:?*[\\\p{Cc}]+/gu, '-')
    .replace(/\.\.+|@\{/g, '-')
    .split('/')
    .map((part) => part.replace(/^[.-]+/, '').replace(/(\.lock|\.)$/, (end) => end.replace('.', '-')))
    .filter((part) => part !== '')
    .join('/');
  return plain === '' || plain === '@' || plain === 'HEAD'
    ? `named-${plain === '@' ? 'at' : plain || 'nothing'}`
    : plain;
}

/** Gives names out so that no two are the same, and none is the folder of another, which Git does not allow. */
export class RefNames {
  readonly #given = new Map<string, string>();

  get refs(): Refs {
    return this.#given;
  }

  /** Names an object: as wished if that is free, or a name like it. @returns the name without its prefix. */
  give(prefix: 'refs/heads/' | 'refs/tags/', wish: string, id: string): string {
    const plain = plainRefName(wish);
    const wishes = [plain, plain.replaceAll('/', '-'), `${plain.replaceAll('/', '-')}-${id.slice(0, 12)}`];
    const name = wishes.find((candidate) => this.#isFree(prefix + candidate, id)) ?? `${wishes[2]}-2`;
    this.#given.set(prefix + name, id);
    return name;
  }

  #isFree(name: string, id: string): boolean {
    const present = this.#given.get(name);
    if (present !== undefined) return present === id;
    return ![...this.#given.keys()].some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
  }
}
