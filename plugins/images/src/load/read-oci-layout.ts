import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { hostArchitecture } from '../configuration/host-architecture.js';
import { digestOf } from '../configuration/image-configuration.js';
import { formatPlatform, isForPlatform, type Platform } from '../configuration/platform.js';
import type { ArchiveFiles } from './archive-files.js';
import { ListedImages } from './listed-images.js';
import { type ArchivedImage, withConfiguration } from './with-configuration.js';

type Document = Readonly<Record<string, unknown>>;

const indexTypes = /\.image\.index\.v1\+json$|\.manifest\.list\.v2\+json$/;
const manifestTypes = /\.image\.manifest\.v1\+json$|\.distribution\.manifest\.v2\+json$/;

/**
 * Images of an OCI image layout; of an index those for a platform, which without one is this machine's. Every document
 * must match its digest.
 */
export async function readOciLayout(
  files: ArchiveFiles,
  platform: Platform = { os: 'linux', architecture: hostArchitecture() },
): Promise<readonly ArchivedImage[]> {
  const images = new Map<string, ArchivedImage>();
  const listed = new ListedImages();
  const visit = async (descriptor: Document, depth: number): Promise<void> => {
    const document = await manifestOf(files, descriptor);
    if (Array.isArray(document.manifests)) {
      if (depth > 4) throw invalidArgument('the image layout has an index in an index in an index, and so on');
      listed.add(document.manifests.length);
      const inner = document.manifests.filter(isRecord).filter((one) => isForAny(one, platform));
      for (const one of inner) await visit(one, depth + 1);
      return;
    }
    const { config, layers } = document;
    if (!isRecord(config) || !Array.isArray(layers)) return;
    const image = withConfiguration(
      files,
      await blobText(files, config),
      layers.map(blobName),
      referencesOf(descriptor),
    );
    const known = images.get(blobName(descriptor));
    const references = [...(known?.references ?? []), ...image.references];
    images.set(blobName(descriptor), { ...image, references: [...new Set(references)] });
  };
  const index = await files.json('index.json');
  const manifests = isRecord(index) && Array.isArray(index.manifests) ? index.manifests : [];
  listed.add(manifests.length);
  for (const descriptor of manifests.filter(isRecord)) await visit(descriptor, 0);
  if (images.size === 0) {
    throw invalidArgument(`the image layout holds no image for ${formatPlatform(platform)}`);
  }
  return [...images.values()];
}

/** A manifest or an index; a document that could be either is refused (CVE-2021-41190). */
async function manifestOf(files: ArchiveFiles, descriptor: Document): Promise<Document> {
  const name = blobName(descriptor);
  await blobText(files, descriptor);
  const document = await files.json(name);
  if (!isRecord(document)) throw invalidArgument(`${name} in the image layout is no JSON object`);
  const isIndex = 'manifests' in document;
  if (isIndex && ('layers' in document || 'config' in document)) {
    throw invalidArgument(`${name} in the image layout is an index and a manifest at once`);
  }
  for (const mediaType of [descriptor.mediaType, document.mediaType]) {
    if (typeof mediaType !== 'string' || !(isIndex ? manifestTypes : indexTypes).test(mediaType)) continue;
    throw invalidArgument(`${name} in the image layout is called ${mediaType}, which it is not`);
  }
  return document;
}

async function blobText(files: ArchiveFiles, descriptor: Document): Promise<string> {
  const name = blobName(descriptor);
  const text = await files.text(name);
  const digest = digestOf(text);
  if (digest !== descriptor.digest) throw invalidArgument(`${name} in the image layout has digest ${digest}`);
  return text;
}

function blobName(descriptor: unknown): string {
  const digest = isRecord(descriptor) ? descriptor.digest : undefined;
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw invalidArgument(`the image layout names a blob by ${JSON.stringify(digest)}, which is no sha256 digest`);
  }
  return `blobs/${digest.replace(':', '/')}`;
}

/** What says nothing of a platform is for any. */
function isForAny({ platform: made }: Document, wanted: Platform): boolean {
  if (!isRecord(made)) return true;
  const { os, architecture, variant } = made;
  return isForPlatform(
    { os: `${os}`, architecture: `${architecture}`, ...(typeof variant === 'string' && { variant }) },
    wanted,
  );
}

function referencesOf(descriptor: Document): readonly string[] {
  const annotations = isRecord(descriptor.annotations) ? descriptor.annotations : {};
  const name = annotations['io.containerd.image.name'] ?? annotations['org.opencontainers.image.ref.name'];
  return typeof name === 'string' && /[/:]/.test(name) ? [name] : [];
}
