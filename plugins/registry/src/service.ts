import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import { notImplemented } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { UploadSource } from './push/upload.js';
import type { Descriptor, ImageManifest } from './remote/manifest.js';
import type { ServedManifest } from './remote/resolve-image.js';

export type { Descriptor, ImageManifest, UploadSource };

/** Carries manifests and blobs of any kind from and to registries, for areas whose content is no image. */
export interface RegistryClient {
  /**
   * The manifest for this machine that `name:tag` or `name@digest` leads to, checked against its digest. Rejects
   * `not-found` for an absent or unreadable repository or tag, `internal` when the registry fails.
   */
  resolve(request: RegistryTarget, options?: { readonly signal?: AbortSignal }): Promise<ResolvedManifest>;
  /**
   * A small document, such as the configuration of a manifest, as text, checked against its digest. Rejects as
   * `resolve` does, and `internal` for one of more than 16 MiB.
   */
  document(request: RegistryTarget, blob: Descriptor, options?: { readonly signal?: AbortSignal }): Promise<string>;
  /**
   * Brings a blob into a file, checked against size and digest. The caller reads the file and releases it; one that is
   * not `used` is kept for a while, to save the next download. Two who fetch one blob share a download.
   */
  fetch(
    request: RegistryTarget,
    blob: Descriptor,
    options?: { readonly signal?: AbortSignal; readonly onBytes?: (current: number) => void },
  ): Promise<FetchedBlob>;
  /** Uploads a blob unless the repository has it. Resolves to whether it was sent. */
  upload(
    request: RegistryTarget,
    source: UploadSource,
    options?: { readonly signal?: AbortSignal; readonly onBytes?: (sent: number) => void },
  ): Promise<boolean>;
  /** Gives a manifest the tag of the reference, `latest` without one. Resolves to its digest. */
  publish(
    request: RegistryTarget,
    manifest: { readonly bytes: Buffer; readonly mediaType: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<string>;
  /** Pushes an image under its name `repo:tag`. Rejects `not-found` when there is no such image. */
  push(
    request: RegistryTarget,
    options: { readonly signal: AbortSignal; readonly onProgress: (item: object) => void },
  ): Promise<void>;
}

export interface RegistryTarget {
  /** `name`, `name:tag` or `name@digest`. */
  readonly reference: string;
  /** Never stored, never logged. */
  readonly credentials?: RegistryCredentials;
}

export interface ResolvedManifest {
  /** Of what the tag names, which may be a list. */
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** The manifest as the registry served it. */
  readonly served: ServedManifest;
}

/** Decides which images may come from registries. Without a package that provides it, all may. */
export interface ImagePolicy {
  /** Called before anything but manifests is downloaded. Rejects `forbidden` with the reason. */
  check(image: ImageCandidate): Promise<void>;
}

/** An image that is about to be pulled. */
export interface ImageCandidate {
  /** `host[:port]`. */
  readonly registry: string;
  /** The repository at its registry, such as `team/app`. */
  readonly path: string;
  /** Undefined when it is asked for by digest. */
  readonly tag: string | undefined;
  /** Of what the tag names, and of the manifest for this machine. */
  readonly digests: readonly string[];
  /** The signatures that the registry has for one of the digests, as sigstore attaches them. */
  signatures(digest: string): Promise<readonly AttachedSignature[]>;
}

export interface AttachedSignature {
  /** What is signed. */
  readonly payload: Buffer;
  /** Base64. */
  readonly signature: string;
}

export const ImagePolicy: ServicePoint<ImagePolicy> = servicePoint<ImagePolicy>('image-policy', {
  fallback: () => ({ check: async () => undefined }),
});

export interface FetchedBlob {
  readonly file: string;
  release(used: boolean): Promise<void>;
}

export const RegistryClient: ServicePoint<RegistryClient> = servicePoint<RegistryClient>('registry-client', {
  fallback: () => absentClient,
});

const absent = async (): Promise<never> => {
  throw notImplemented('this engine has no registry client');
};
const absentClient: RegistryClient = {
  resolve: absent,
  document: absent,
  fetch: absent,
  upload: absent,
  publish: absent,
  push: absent,
};
