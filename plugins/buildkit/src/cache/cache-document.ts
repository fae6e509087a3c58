import { createHash } from 'node:crypto';
import { invalidArgument } from '@gantry/core/errors';
import type { Descriptor, ImageManifest } from '@gantry/registry/service';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** The type of the document that lists the images of a cache. */
const cacheType = 'application/vnd.gantry.buildcache.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';
export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const diffIdLabel = 'org.gantry.diff-id';

const DocumentSchema = Type.Object({ images: Type.Array(Type.String(), { maxItems: 1000 }) });

/** A cache that was read: the exact documents of its images, and where their layers are. */
export interface CacheContent {
  readonly configurations: readonly string[];
  /** By diff ID. */
  readonly layers: ReadonlyMap<string, Descriptor>;
}

export interface ExportedLayer {
  readonly diffId: string;
  readonly digest: string;
  readonly size: number;
}

export const digestOf = (content: string | Buffer): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** The documents of a cache of images. */
export function writeCache(configurations: readonly string[], layers: readonly ExportedLayer[]) {
  const document = JSON.stringify({ images: configurations });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: cacheType, digest: digestOf(document), size: Buffer.byteLength(document) },
    layers: layers.map(({ diffId, digest, size }) => ({
      mediaType: layerType,
      digest,
      size,
      annotations: { [diffIdLabel]: diffId },
    })),
  });
  return { document: Buffer.from(document), manifest: Buffer.from(manifest) };
}

/** Reads a cache, or an image, whose history is a cache. @throws EngineError `invalid-argument` for anything else. */
export function readCache(manifest: ImageManifest, config: string): CacheContent {
  const layers = new Map<string, Descriptor>();
  if (manifest.config.mediaType === cacheType) {
    const document: unknown = parse(config);
    if (!Value.Check(DocumentSchema, document)) throw invalidArgument('the document of the cache has another form');
    for (const layer of manifest.layers) layers.set(String(layer.annotations?.[diffIdLabel] ?? ''), layer);
    return { configurations: document.images, layers };
  }
  const diffIds = (parse(config) as { rootfs?: { diff_ids?: unknown } } | null)?.rootfs?.diff_ids;
  if (!Array.isArray(diffIds) || diffIds.length !== manifest.layers.length) {
    throw invalidArgument(`a cache of type ${manifest.config.mediaType} is not supported by this builder`);
  }
  for (const [index, diffId] of diffIds.entries()) {
    const layer = manifest.layers[index];
    if (layer !== undefined) layers.set(String(diffId), layer);
  }
  return { configurations: [config], layers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidArgument('the document of the cache is not JSON', { cause });
  }
}
