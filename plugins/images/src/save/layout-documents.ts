import { digestOf } from '../configuration/image-configuration.js';
import { fullName } from '../reference/image-reference.js';
import type { ChosenImage } from './choose-images.js';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The manifest of an image in an OCI image layout with uncompressed layers. */
export function layoutManifest(
  { image }: ChosenImage,
  layers: readonly { readonly digest: string; readonly size: number }[],
): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: describe('application/vnd.oci.image.config.v1+json', image.record.configurationJson),
    layers: layers.map((layer) => ({ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer })),
  });
}

/** `index.json` of an OCI image layout: an entry for each name of an image. */
export function layoutIndex(images: readonly (ChosenImage & { readonly manifest: string })[]): string {
  const manifests = images.flatMap(({ tags, manifest }) => {
    const descriptor = describe('application/vnd.oci.image.manifest.v1+json', manifest);
    if (tags.length === 0) return [descriptor];
    return tags.map((tag) => ({
      ...descriptor,
      annotations: {
        'io.containerd.image.name': fullName(tag),
        'org.opencontainers.image.ref.name': tag.slice(tag.lastIndexOf(':') + 1),
      },
    }));
  });
  return JSON.stringify({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests });
}

export const layoutVersion = '{"imageLayoutVersion":"1.0.0"}';

export const blobName = (digest: string): string => `blobs/${digest.replace(':', '/')}`;

const describe = (mediaType: string, document: string): Descriptor => ({
  mediaType,
  digest: digestOf(document),
  size: Buffer.byteLength(document),
});
