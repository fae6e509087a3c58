import { createHash } from 'node:crypto';
import { internal } from '@gantry/core/errors';
import type { Platform } from '@gantry/images/service';

/** Points at content by its digest. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:<hex>`. */
  readonly digest: string;
  readonly size: number;
  readonly urls?: readonly string[];
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly platform?: {
    readonly os?: string;
    readonly architecture?: string;
    readonly variant?: string;
  };
}

/** A manifest of one image. */
export interface ImageManifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export const mediaTypes = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
} as const;

/** Schema 1 is asked for last, to be able to say what it is. */
export const acceptedManifests = [
  mediaTypes.manifest,
  mediaTypes.list,
  mediaTypes.ociManifest,
  mediaTypes.ociIndex,
].join(', ');

export const digestOf = (bytes: Buffer | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text);

type ParsedManifest =
  | { readonly kind: 'image'; readonly manifest: ImageManifest; readonly mediaType: string }
  | { readonly kind: 'index'; readonly manifests: readonly Descriptor[] };

/**
 * Reads a manifest as what its type says it is. A document that could be read as two things is refused, as what one
 * engine took for an image another would take for a list. @throws EngineError `internal` naming the reference.
 */
export function parseManifest(bytes: Buffer, contentType: string | undefined, reference: string): ParsedManifest {
  const refuse = (why: string) => internal(`the manifest of ${reference} ${why}`);
  let document: Readonly<Record<string, unknown>>;
  try {
    document = JSON.parse(bytes.toString('utf8')) as typeof document;
  } catch (cause) {
    throw internal(`the manifest of ${reference} is not JSON`, { cause });
  }
  if (typeof document !== 'object' || document === null) throw refuse('is not an object');
  if (document.schemaVersion === 1) {
    throw refuse('has schema version 1, which is not supported; push the image again with a client of today');
  }
  if (document.schemaVersion !== 2) throw refuse(`has schema version ${String(document.schemaVersion)}`);
  const served = contentType?.split(';')[0]?.trim().toLowerCase();
  const own = typeof document.mediaType === 'string' ? document.mediaType : undefined;
  const known = Object.values(mediaTypes) as readonly string[];
  if (own !== undefined && served !== undefined && known.includes(served) && own !== served) {
    throw refuse(`says that it is ${own}, but was served as ${served}`);
  }
  const isIndex = 'manifests' in document;
  if (isIndex && ('layers' in document || 'config' in document || 'fsLayers' in document)) {
    throw refuse('is both a list and an image');
  }
  const type = own ?? served;
  const shouldBeIndex = type === mediaTypes.list || type === mediaTypes.ociIndex;
  const shouldBeImage = type === mediaTypes.manifest || type === mediaTypes.ociManifest;
  if ((shouldBeIndex && !isIndex) || (shouldBeImage && isIndex)) throw refuse(`is not what ${type} looks like`);
  const descriptors = (value: unknown, what: string): readonly Descriptor[] => {
    if (!Array.isArray(value) || !value.every(isDescriptor)) throw refuse(`has no valid ${what}`);
    return value;
  };
  if (isIndex) return { kind: 'index', manifests: descriptors(document.manifests, 'manifests') };
  const [config] = descriptors([document.config], 'config');
  if (config === undefined) throw refuse('has no config');
  const manifest = { config, layers: descriptors(document.layers, 'layers') };
  return {
    kind: 'image',
    manifest,
    mediaType: type !== undefined && known.includes(type) ? type : mediaTypes.ociManifest,
  };
}

function isDescriptor(value: unknown): value is Descriptor {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, digest, size } = value as Readonly<Record<string, unknown>>;
  return (
    (mediaType === undefined || typeof mediaType === 'string') &&
    isDigest(digest) &&
    Number.isSafeInteger(size) &&
    Number(size) >= 0
  );
}

const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', mipsel: 'mipsle' };

export const hostPlatform = { os: 'linux', architecture: goArchitectures[process.arch] ?? process.arch } as const;

/** The manifest for a platform among several; undefined without one. */
export function choosePlatform(
  manifests: readonly Descriptor[],
  { architecture, os, variant }: Platform,
): Descriptor | undefined {
  const fitting = manifests.filter(({ platform }) => platform?.os === os && platform.architecture === architecture);
  if (variant !== undefined) return fitting.find(({ platform }) => platform?.variant === variant);
  // Of arm64 there may be v8 with and without the word; of the others the plain one runs everywhere.
  const plain = fitting.find(({ platform }) => ['', 'v8', undefined].includes(platform?.variant));
  // One that says nothing of a platform is for any.
  return plain ?? fitting[0] ?? manifests.find(({ platform }) => platform === undefined);
}
