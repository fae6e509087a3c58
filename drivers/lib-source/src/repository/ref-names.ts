import type { Refs } from './repository-refs.js';

/** A valid Git name for a branch or tag of another system. */
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

/** Assigns names so that no two are the same and none is a directory of another, which Git does not allow. */
export class RefNames {
  readonly #assigned = new Map<string, string>();

  get refs(): Refs {
    return this.#assigned;
  }

  /** Names an object: as requested if that is free, or similar. @returns the name without its prefix. */
  assign(prefix: 'refs/heads/' | 'refs/tags/', requested: string, id: string): string {
    const plain = plainRefName(requested);
    const candidates = [plain, plain.replaceAll('/', '-'), `${plain.replaceAll('/', '-')}-${id.slice(0, 12)}`];
    const name = candidates.find((candidate) => this.#isFree(prefix + candidate, id)) ?? `${candidates[2]}-2`;
    this.#assigned.set(prefix + name, id);
    return name;
  }

  #isFree(name: string, id: string): boolean {
    const present = this.#assigned.get(name);
    if (present !== undefined) return present === id;
    return ![...this.#assigned.keys()].some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
  }
}
