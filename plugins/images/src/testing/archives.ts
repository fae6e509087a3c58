import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** Name to content; a name with a final slash is a directory, content `-> x` a symbolic link to x. */
type Members = Readonly<Record<string, string | Buffer>>;

/** A tar archive of these members. Equal members make equal bytes. */
export async function tarOf(members: Members): Promise<Buffer> {
  const tar = pack();
  const mtime = new Date(0);
  for (const [name, content] of Object.entries(members)) {
    const link = /^-> (.*)$/.exec(String(content))?.[1];
    if (name.endsWith('/')) tar.entry({ name, mtime, type: 'directory' });
    else if (link !== undefined) tar.entry({ name, mtime, type: 'symlink', linkname: link });
    else tar.entry({ name, mtime }, content);
  }
  tar.finalize();
  return buffer(Readable.from(tar));
}

export const digestOf = (bytes: Buffer | string): string => `sha256:${hex(bytes)}`;

const hex = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

export interface MadeImage {
  readonly id: string;
  readonly configuration: string;
  readonly layers: readonly Buffer[];
}

/** An image of the given layers, bottom up, with more of a configuration. */
export function imageOf(layers: readonly Buffer[], more: object = {}): MadeImage {
  const configuration = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '2020-01-01T00:00:00Z',
    config: {},
    rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
    ...more,
  });
  return { id: digestOf(configuration), configuration, layers };
}

/** As engines of today save it. */
export function manifestArchive(
  images: readonly (MadeImage & { readonly tags?: readonly string[] })[],
): Promise<Buffer> {
  const members: Record<string, string | Buffer> = {};
  const manifest = images.map(({ id, configuration, layers, tags = [] }) => {
    const config = `${id.slice('sha256:'.length)}.json`;
    members[config] = configuration;
    const names = layers.map((layer) => `${hex(layer)}/layer.tar`);
    for (const [index, layer] of layers.entries()) members[names[index] ?? ''] = layer;
    return { Config: config, RepoTags: tags, Layers: names };
  });
  return tarOf({ ...members, 'manifest.json': JSON.stringify(manifest) });
}

/** An OCI image layout, without the `manifest.json` that engines lay beside it. */
export function ociArchive(image: MadeImage, annotations: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const blob = (bytes: Buffer | string) => ({ digest: digestOf(bytes), size: Buffer.byteLength(bytes) });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    config: blob(image.configuration),
    layers: image.layers.map(blob),
  });
  const blobs = [image.configuration, manifest, ...image.layers].map((bytes) => [`blobs/sha256/${hex(bytes)}`, bytes]);
  const index = { schemaVersion: 2, manifests: [{ ...blob(manifest), annotations }] };
  return tarOf({
    'oci-layout': '{"imageLayoutVersion":"1.0.0"}',
    'index.json': JSON.stringify(index),
    ...Object.fromEntries(blobs),
  });
}

/** The form of the specification: a directory for each layer, bottom up; the last one has the names. */
export function legacyArchive(
  layers: readonly { readonly id: string; readonly tar?: Buffer; readonly json?: object }[],
  repositories?: object,
): Promise<Buffer> {
  const members: Record<string, string | Buffer> = {};
  for (const [index, { id, json, tar }] of layers.entries()) {
    const parent = layers[index - 1]?.id;
    members[`${id}/`] = '';
    members[`${id}/VERSION`] = '1.0';
    members[`${id}/json`] = JSON.stringify({ id, ...(parent !== undefined && { parent }), ...json });
    if (tar !== undefined) members[`${id}/layer.tar`] = tar;
  }
  if (repositories !== undefined) members.repositories = JSON.stringify(repositories);
  return tarOf(members);
}
