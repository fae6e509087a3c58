import type { ImageName, SignedIdentity } from './policy/policy.js';

/** Whether the name in a signature counts for an image. */
export function matchesIdentity(identity: SignedIdentity, image: ImageName, signed: string): boolean {
  const repository = `${image.registry}/${image.path}`;
  const { tag } = image;
  switch (identity.type) {
    case 'matchExact':
      return tag !== undefined && signed === `${repository}:${tag}`;
    case 'matchRepoDigestOrExact':
      return tag === undefined ? repositoryOf(signed) === repository : signed === `${repository}:${tag}`;
    case 'matchRepository':
      return repositoryOf(signed) === repository;
    case 'exactReference':
      return signed === identity.reference;
    case 'exactRepository':
      return repositoryOf(signed) === identity.repository;
    case 'remapIdentity': {
      const { prefix, signedPrefix } = identity;
      const isBelow = repository === prefix || repository.startsWith(`${prefix}/`);
      const expected = isBelow ? `${signedPrefix}${repository.slice(prefix.length)}` : repository;
      return tag === undefined ? repositoryOf(signed) === expected : signed === `${expected}:${tag}`;
    }
  }
}

/** Without tag and digest. */
const repositoryOf = (reference: string): string => reference.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
