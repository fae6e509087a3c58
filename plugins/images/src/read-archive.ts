import { arch } from 'node:os';
import { invalidArgument } from '@gantry/core/errors';
import type { ArchiveFiles } from './archive-files.js';
import { type ImageConfiguration, type ImageHistory, parseImageConfiguration } from './image-configuration.js';
import { formatReference, parseReference } from './reference.js';
import type { ImageConfig } from './service.js';

/** One image of an archive, whatever the archive's form. */
export interface ArchivedImage {
  /** The exact bytes of its configuration; undefined for a legacy one, whose configuration is made from its layers. */
  readonly configurationJson: string | undefined;
  /** From the bottom up; `diffId` is known with a configuration. */
  readonly layers: readonly { readonly diffId: string | undefined; readonly file: string }[];
  /** `repo:tag` names. */
  readonly references: readonly string[];
  /** Of a legacy image: makes its configuration once the layers' digests are known. */
  readonly configure?: (diffIds: readonly string[]) => ImageConfiguration;
}

/**
 * Finds the images of an archive: of the `manifest.json` form, of an OCI image layout, or of the legacy form of the
 * specification (one directory per layer, a `repositories` file). An archive with several forms is read as the newest.
 */
export async function readArchive(files: ArchiveFiles): Promise<readonly ArchivedImage[]> {
  if (files.has('manifest.json')) return readManifestForm(files);
  if (files.has('index.json')) return readOciLayout(files);
  const layers = files.names().filter((name) => /^[^/]+\/json$/.test(name));
  if (files.has('repositories') || layers.length > 0) return readLegacyForm(files, layers);
  throw invalidArgument('the archive holds no image: it has neither manifest.json, index.json nor repositories');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function withConfiguration(
  files: ArchiveFiles,
  configurationJson: string,
  members: readonly string[],
  references: readonly string[],
): ArchivedImage {
  const { diff_ids: diffIds } = parseImageConfiguration(configurationJson).rootfs;
  if (diffIds.length !== members.length) {
    throw invalidArgument(
      `the archive has ${members.length} layers for an image whose configuration names ${diffIds.length}`,
    );
  }
  return {
    configurationJson,
    references: references.map((name) => formatReference(parseReference(name))),
    layers: members.map((member, index) => ({ diffId: diffIds[index], file: files.file(member) })),
  };
}

async function readManifestForm(files: ArchiveFiles): Promise<readonly ArchivedImage[]> {
  const manifest = await files.json('manifest.json');
  if (!Array.isArray(manifest)) throw invalidArgument('manifest.json in the archive is no list');
  return Promise.all(
    manifest.map(async (item: unknown) => {
      if (!isRecord(item) || typeof item.Config !== 'string') {
        throw invalidArgument('manifest.json in the archive has an image without Config');
      }
      return withConfiguration(files, await files.text(item.Config), strings(item.Layers), strings(item.RepoTags));
    }),
  );
}

async function readOciLayout(files: ArchiveFiles): Promise<readonly ArchivedImage[]> {
  const images: ArchivedImage[] = [];
  const visit = async (descriptor: unknown, depth: number): Promise<void> => {
    if (!isRecord(descriptor) || depth > 4) return;
    const document = await files.json(blobName(descriptor));
    if (!isRecord(document)) return;
    if (Array.isArray(document.manifests)) {
      for (const inner of document.manifests) if (isForThisHost(inner)) await visit(inner, depth + 1);
      return;
    }
    if (!isRecord(document.config) || !Array.isArray(document.layers)) return;
    const configuration = await files.text(blobName(document.config));
    images.push(withConfiguration(files, configuration, document.layers.map(blobName), referencesOf(descriptor)));
  };
  const index = await files.json('index.json');
  for (const descriptor of isRecord(index) && Array.isArray(index.manifests) ? index.manifests : []) {
    await visit(descriptor, 0);
  }
  if (images.length === 0) {
    throw invalidArgument(`the image layout holds no image for linux on ${hostArchitecture()}`);
  }
  return images;
}

function blobName(descriptor: unknown): string {
  const digest = isRecord(descriptor) ? descriptor.digest : undefined;
  if (typeof digest !== 'string' || !/^[a-z0-9]+:[0-9a-f]{32,}$/.test(digest)) {
    throw invalidArgument(`the image layout names a blob by ${JSON.stringify(digest)}, which is no digest`);
  }
  return `blobs/${digest.replace(':', '/')}`;
}

function isForThisHost(descriptor: unknown): boolean {
  const platform = isRecord(descriptor) ? descriptor.platform : undefined;
  if (!isRecord(platform)) return true;
  return platform.os === 'linux' && platform.architecture === hostArchitecture();
}

/** In the words of image configurations. */
export function hostArchitecture(): string {
  const name = arch();
  return name === 'x64' ? 'amd64' : name;
}

function referencesOf(descriptor: Record<string, unknown>): readonly string[] {
  const annotations = isRecord(descriptor.annotations) ? descriptor.annotations : {};
  const name = annotations['io.containerd.image.name'] ?? annotations['org.opencontainers.image.ref.name'];
  return typeof name === 'string' && /[/:]/.test(name) ? [name] : [];
}

interface LegacyLayer {
  readonly id: string;
  readonly parent?: string;
  readonly created?: string;
  readonly author?: string;
  readonly comment?: string;
  readonly architecture?: string;
  readonly os?: string;
  readonly config?: ImageConfig;
  readonly container_config?: ImageConfig & { readonly Cmd?: readonly string[] };
  readonly docker_version?: string;
  readonly throwaway?: boolean;
}

/** Spec: image tarball format. Heads are the layers that `repositories` names, or those that are nobody's parent. */
async function readLegacyForm(files: ArchiveFiles, members: readonly string[]): Promise<readonly ArchivedImage[]> {
  const layers = new Map<string, LegacyLayer>();
  for (const member of members) {
    const document = await files.json(member);
    if (!isRecord(document)) throw invalidArgument(`${JSON.stringify(member)} in the archive is no JSON object`);
    const id = member.slice(0, -'/json'.length);
    layers.set(id, { ...document, id });
  }
  const heads = new Map<string, string[]>();
  const repositories = files.has('repositories') ? await files.json('repositories') : {};
  for (const [repository, tags] of Object.entries(isRecord(repositories) ? repositories : {})) {
    for (const [tag, id] of Object.entries(isRecord(tags) ? tags : {})) {
      if (typeof id !== 'string' || !layers.has(id)) {
        throw invalidArgument(`repositories in the archive names layer ${JSON.stringify(id)}, which it does not hold`);
      }
      heads.set(id, [...(heads.get(id) ?? []), formatReference(parseReference(`${repository}:${tag}`))]);
    }
  }
  if (heads.size === 0) {
    const parents = new Set([...layers.values()].map(({ parent }) => parent));
    for (const id of layers.keys()) if (!parents.has(id)) heads.set(id, []);
  }
  return [...heads].map(([id, references]) => legacyImage(files, layers, id, references));
}

function legacyImage(
  files: ArchiveFiles,
  all: ReadonlyMap<string, LegacyLayer>,
  head: string,
  references: readonly string[],
): ArchivedImage {
  const stack: LegacyLayer[] = [];
  for (let id: string | undefined = head; id !== undefined && id !== ''; ) {
    const layer: LegacyLayer | undefined = all.get(id);
    if (layer === undefined) throw invalidArgument(`the archive lacks layer "${id}"`);
    if (stack.includes(layer)) throw invalidArgument(`layer "${id}" in the archive is its own ancestor`);
    stack.unshift(layer);
    id = layer.parent;
  }
  const filled = stack.filter(({ id, throwaway }) => throwaway !== true && files.has(`${id}/layer.tar`));
  const top = stack.at(-1);
  return {
    configurationJson: undefined,
    references,
    layers: filled.map(({ id }) => ({ diffId: undefined, file: files.file(`${id}/layer.tar`) })),
    configure: (diffIds) => ({
      architecture: top?.architecture ?? hostArchitecture(),
      ...(top?.author !== undefined && { author: top.author }),
      ...(top?.comment !== undefined && { comment: top.comment }),
      config: top?.config ?? {},
      ...(top?.container_config !== undefined && { container_config: top.container_config }),
      ...(top?.created !== undefined && { created: top.created }),
      ...(top?.docker_version !== undefined && { docker_version: top.docker_version }),
      history: stack.map((layer) => legacyHistory(layer, filled.includes(layer))),
      os: top?.os ?? 'linux',
      rootfs: { type: 'layers', diff_ids: diffIds },
    }),
  };
}

const legacyHistory = (layer: LegacyLayer, filled: boolean): ImageHistory => ({
  ...(layer.created !== undefined && { created: layer.created }),
  ...(layer.container_config?.Cmd != null && { created_by: layer.container_config.Cmd.join(' ') }),
  ...(layer.author !== undefined && { author: layer.author }),
  ...(layer.comment !== undefined && { comment: layer.comment }),
  ...(!filled && { empty_layer: true }),
});
