import type { Policy } from './policy.js';

/** Whether images may have to be signed by GPG keys. */
export const needsGpg = ({ fallback, scopes }: Policy): boolean =>
  [fallback, ...scopes.values()].flat().some(({ type }) => type === 'signedBy');
