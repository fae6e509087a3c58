import { internal, notFound } from '@gantry/core/errors';
import { formatPlatform, type Platform } from '@gantry/images/service';
import { type Access, fromFirst } from './endpoints.js';
import { choosePlatform, type Descriptor, type ImageManifest, parseManifest } from './manifest.js';
import { fetchManifest } from './manifests.js';

interface ResolvedImage {
  /** Of the manifest or the list that the tag names. */
  readonly digest: string;
  /** Of the manifest for the platform: the same, unless the tag names a list. */
  readonly manifestDigest: string;
  readonly manifest: ImageManifest;
  readonly served: ServedManifest;
}

/** A manifest as the registry served it. */
export interface ServedManifest {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** A list may lead to a list, no further. */
const depth = 3;

/** Finds the manifest for a platform. Rejects RegistryError, `not-found` when there is none for it. */
export async function resolveImage(
  access: Access,
  tagOrDigest: string,
  name: string,
  platform: Platform,
  signal: AbortSignal | undefined,
): Promise<ResolvedImage> {
  return fromFirst(
    access.sources,
    async (source) => {
      let digest: string | undefined;
      let size: number | undefined;
      let next = tagOrDigest;
      for (let level = 0; level < depth; level += 1) {
        const fetched = await fetchManifest(source, access.repository, next, signal);
        digest ??= fetched.digest;
        if (size !== undefined && fetched.bytes.length !== size) {
          throw internal(`manifest ${next} has ${fetched.bytes.length} bytes, but its list says ${size}`);
        }
        const parsed = parseManifest(fetched.bytes, fetched.mediaType, name);
        if (parsed.kind === 'image') {
          const { manifest, mediaType } = parsed;
          return { digest, manifestDigest: fetched.digest, manifest, served: { bytes: fetched.bytes, mediaType } };
        }
        const chosen: Descriptor | undefined = choosePlatform(parsed.manifests, platform);
        if (chosen === undefined) {
          throw notFound(`no matching manifest for ${formatPlatform(platform)} in the manifest list entries`);
        }
        next = chosen.digest;
        size = chosen.size;
      }
      throw internal(`the manifest of ${name} is a list of lists of lists`);
    },
    signal,
  );
}
