import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { digestOf } from '../configuration/image-configuration.js';
import { createdAt } from '../store/created-at.js';
import type { LayerRecord } from '../store/image-record.js';
import type { ChosenImage } from './choose-images.js';
import { blobName, layoutIndex, layoutManifest, layoutVersion } from './layout-documents.js';
import { type LegacyLayer, legacyLayers } from './legacy-layers.js';
import type { StreamedContent, TarMember } from './tar-member.js';

export interface SavedImage extends ChosenImage {
  /** From the bottom up. */
  readonly layers: readonly LayerRecord[];
}

export interface LayerReader {
  /** Bytes of a layer's tar. */
  sizeOf(layer: LayerRecord): Promise<number>;
  /** The tar itself. */
  open(layer: LayerRecord): Promise<Readable>;
}

/**
 * The members of an archive in three forms at once: the specification's (a directory for each layer, `repositories`),
 * `manifest.json`, and an OCI image layout. The bytes of a layer are written once; the other forms link to them. Equal
 * images make equal archives.
 */
export class ArchiveMembers {
  /** Names of members with the bytes of a layer, by diff ID. */
  readonly #written = new Map<string, string>();
  readonly #directories = new Set<string>();

  constructor(
    private readonly reader: LayerReader,
    private readonly onImage: (image: SavedImage) => void,
  ) {}

  async *of(images: readonly SavedImage[]): AsyncGenerator<TarMember> {
    const manifest: object[] = [];
    const saved = new Set(images.map(({ image }) => image.record.id));
    const repositories: Record<string, Record<string, string>> = {};
    const layout: (ChosenImage & { readonly manifest: string })[] = [];
    for (const chosen of images) {
      const { image, tags } = chosen;
      const { parent } = image.record;
      const modified = Math.floor(createdAt(image) / 1000);
      const legacy = legacyLayers(image, chosen.layers);
      for (const layer of legacy) yield* this.#layer(layer, modified);
      const blobs = await Promise.all(
        chosen.layers.map(async (layer) => ({ digest: layer.diffId, size: await this.reader.sizeOf(layer) })),
      );
      const document = layoutManifest(chosen, blobs);
      const config = `${image.record.id.slice('sha256:'.length)}.json`;
      yield { name: config, type: 'file', content: image.record.configurationJson, modified };
      yield* this.#blob(image.record.id, { type: 'link', target: config }, modified);
      yield* this.#blob(digestOf(document), { type: 'file', content: document }, modified);
      manifest.push({
        Config: config,
        RepoTags: tags.length === 0 ? null : tags,
        Layers: chosen.layers.map((_, index) => `${legacy[index]?.id}/layer.tar`),
        ...(parent !== undefined && saved.has(parent) && { Parent: parent }),
      });
      layout.push({ ...chosen, manifest: document });
      for (const tag of tags) addTag(repositories, tag, legacy.at(-1)?.id ?? '');
      this.onImage(chosen);
    }
    const file = (name: string, content: string): TarMember => ({ name, type: 'file', content, modified: 0 });
    yield file('oci-layout', layoutVersion);
    yield file('index.json', layoutIndex(layout));
    yield file('manifest.json', JSON.stringify(manifest));
    if (Object.keys(repositories).length > 0) yield file('repositories', JSON.stringify(repositories));
  }

  async *#layer({ id, json, layer }: LegacyLayer, modified: number): AsyncGenerator<TarMember> {
    if (this.#directories.has(id)) return;
    yield* this.#directory(id, modified);
    yield { name: `${id}/VERSION`, type: 'file', content: '1.0', modified };
    yield { name: `${id}/json`, type: 'file', content: json, modified };
    if (layer === undefined) return;
    const name = `${id}/layer.tar`;
    const written = this.#written.get(layer.diffId);
    if (written !== undefined) {
      yield { name, type: 'symlink', target: posix.relative(id, written), modified };
      return;
    }
    this.#written.set(layer.diffId, name);
    const content: StreamedContent = {
      size: await this.reader.sizeOf(layer),
      open: () => this.reader.open(layer),
    };
    yield { name, type: 'file', content, modified };
    yield* this.#blob(layer.diffId, { type: 'link', target: name }, modified);
  }

  async *#blob(
    digest: string,
    what: { readonly type: 'link'; readonly target: string } | { readonly type: 'file'; readonly content: string },
    modified: number,
  ): AsyncGenerator<TarMember> {
    const name = blobName(digest);
    yield* this.#directory('blobs', modified);
    yield* this.#directory(posix.dirname(name), modified);
    yield { name, modified, ...what };
  }

  async *#directory(name: string, modified: number): AsyncGenerator<TarMember> {
    if (this.#directories.has(name)) return;
    this.#directories.add(name);
    yield { name: `${name}/`, type: 'directory', modified };
  }
}

function addTag(repositories: Record<string, Record<string, string>>, name: string, id: string): void {
  const colon = name.lastIndexOf(':');
  const repository = name.slice(0, colon);
  repositories[repository] = { ...repositories[repository], [name.slice(colon + 1)]: id };
}
