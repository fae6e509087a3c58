import type { KeyObject } from 'node:crypto';
import type { ArchiveTransport } from '@gantry/images/service';

/** What an image needs to be pulled. All requirements of a list must hold. */
export type Requirement =
  | { readonly type: 'insecureAcceptAnything' }
  | { readonly type: 'reject' }
  | {
      readonly type: 'sigstoreSigned';
      /** One of them must have signed. */
      readonly keys: readonly KeyObject[];
      readonly identity: SignedIdentity;
    }
  | {
      readonly type: 'signedBy';
      /** In binary form. A key of one of them must have signed. */
      readonly keyrings: readonly Buffer[];
      readonly identity: SignedIdentity;
    };

/** Which names in a signature count for an image. */
export type SignedIdentity =
  | { readonly type: 'matchExact' | 'matchRepoDigestOrExact' | 'matchRepository' }
  | { readonly type: 'exactReference'; readonly reference: string }
  | { readonly type: 'exactRepository'; readonly repository: string }
  | { readonly type: 'remapIdentity'; readonly prefix: string; readonly signedPrefix: string };

/** Injects the policy. */
export const Policy = Symbol('policy');

export interface Policy {
  readonly fallback: readonly Requirement[];
  /** By name of an image, repository, namespace, host or `*.domain`; the empty name stands for all. */
  readonly scopes: ReadonlyMap<string, readonly Requirement[]>;
  /** Of archives that clients send, by the transport; where it has none, the fallback counts. */
  readonly archives: { readonly [T in ArchiveTransport]?: readonly Requirement[] };
}

/** An image by its parts. */
export interface ImageName {
  readonly registry: string;
  readonly path: string;
  readonly tag: string | undefined;
  readonly digests: readonly string[];
}

/** The requirements of the most specific scope. */
export function requirementsFor({ fallback, scopes }: Policy, image: ImageName): readonly Requirement[] {
  for (const scope of scopesOf(image)) {
    const found = scopes.get(scope);
    if (found !== undefined) return found;
  }
  return fallback;
}

function* scopesOf({ digests, path, registry, tag }: ImageName): Iterable<string> {
  const repository = `${registry}/${path}`;
  if (tag === undefined) for (const digest of digests) yield `${repository}@${digest}`;
  else yield `${repository}:${tag}`;
  for (let scope = repository; scope.includes('/'); scope = scope.slice(0, scope.lastIndexOf('/'))) yield scope;
  yield registry;
  const labels = registry.split('.');
  for (let first = 1; first < labels.length; first++) yield `*.${labels.slice(first).join('.')}`;
  yield '';
}
