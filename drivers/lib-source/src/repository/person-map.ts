import type { AuthorMapping } from './repository-facts.js';
import { plainName } from './valid-author.js';

/** Maps authors and committers of a stream. Characters that commits cannot hold are removed. */
export function personMap(mappings: readonly AuthorMapping[]): (person: string) => string {
  const people = new Map(
    mappings.map(({ remoteName, remoteId, name, email }) => {
      const address = email.replace(/[<>\s\p{Cc}]/gu, '');
      return [identity(remoteName, remoteId), `${plainName(name)} <${address}>`] as const;
    }),
  );
  return (person) => {
    const [, name = '', address = ''] = /^(.*?) ?<([^>]*)>$/.exec(person) ?? [];
    return people.get(identity(name, address)) ?? person;
  };
}

const identity = (name: string, address: string): string => `${name.trim()}\n${address.trim()}`;
