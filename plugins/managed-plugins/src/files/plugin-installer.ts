import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { RegistryClient, type RegistryTarget, type ResolvedManifest } from '@gantry/registry/service';
import { parseManifest } from '../manifest/parse-manifest.js';
import type { PluginRecord } from '../store/plugin-record.js';
import { randomName, type VersionDirectory } from './directories-of.js';
import { PluginFiles } from './plugin-files.js';

/** The media type of the configuration of plugins. */
export const pluginType = 'application/vnd.docker.plugin.v1+json';

interface RemoteLayer {
  readonly descriptor: ResolvedManifest['manifest']['layers'][number];
  /** Undefined where the configuration names none. */
  readonly expectedDiffId: string | undefined;
}

interface UnpackedLayer {
  /** Of the blob, which is in the version's content. */
  readonly digest: string;
  readonly expectedDiffId: string | undefined;
}

/** A plugin in a registry. */
interface ResolvedPlugin extends Pick<PluginRecord, 'digest' | 'manifest'> {
  readonly target: RegistryTarget;
  readonly layers: readonly RemoteLayer[];
  readonly served: ResolvedManifest['served'];
  /** The exact text, with its digest. */
  readonly configuration: { readonly digest: string; readonly text: string };
}

/** Downloads plugins from registries and unpacks them. */
@injectable()
export class PluginInstaller {
  constructor(
    @inject(RegistryClient.token) private readonly registry: RegistryClient,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
    @inject(PluginFiles) private readonly files: PluginFiles,
  ) {}

  /** What the reference leads to. Rejects when it is no plugin; nothing is downloaded but its manifest. */
  async resolve(target: RegistryTarget, options: { readonly signal: AbortSignal }): Promise<ResolvedPlugin> {
    const resolved = await this.registry.resolve(target, options);
    const { config } = resolved.manifest;
    if (config.mediaType !== pluginType) {
      throw internal(`${target.reference} is no plugin: its configuration has the type ${config.mediaType}`);
    }
    const text = await this.registry.document(target, config, options);
    const manifest = parseManifest(text, target.reference);
    const layers = layersOf(resolved, manifest.rootfs.diff_ids, target.reference);
    const { digest, served } = resolved;
    return { target, digest, served, configuration: { digest: config.digest, text }, manifest, layers };
  }

  /** Downloads and unpacks it. Resolves to the name of the directory. On rejection nothing is left. */
  async install(plugin: ResolvedPlugin, options: { readonly signal: AbortSignal }): Promise<string> {
    const { configuration, layers, served, target } = plugin;
    const files = randomName();
    await this.files.create(files, async (version) => {
      await version.content.setManifest(served);
      await version.content.addDocument(configuration.digest, configuration.text);
      for (const { descriptor, expectedDiffId } of layers) {
        await this.#download(target, descriptor, version, options);
        await this.unpack(version, [{ digest: descriptor.digest, expectedDiffId }], options);
      }
    });
    return files;
  }

  /** Unpacks layers of the version's content into its root file system, the lowest first. */
  async unpack(
    { content, rootfs }: VersionDirectory,
    layers: readonly UnpackedLayer[],
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    for (const { digest, expectedDiffId } of layers) {
      // Some engines name the digest of the compressed layer instead, which is that of the blob.
      const isOfBlob = expectedDiffId === undefined || expectedDiffId === digest;
      await this.archives.get().extractLayer({ file: content.blob(digest) }, rootfs, {
        hostOwners: true,
        whiteouts: 'apply',
        ...options,
        ...(!isOfBlob && { expectedDiffId }),
      });
    }
  }

  async #download(
    target: RegistryTarget,
    descriptor: RemoteLayer['descriptor'],
    { content }: VersionDirectory,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const { file, release } = await this.registry.fetch(target, descriptor, options);
    let isUsed = false;
    try {
      await content.addFile(descriptor.digest, file);
      isUsed = true;
    } finally {
      await release(isUsed);
    }
  }
}

function layersOf({ manifest: { layers } }: ResolvedManifest, diffIds: readonly string[], name: string): RemoteLayer[] {
  if (diffIds.length > 0 && diffIds.length !== layers.length) {
    throw internal(`plugin ${name} has ${layers.length} layers, but names ${diffIds.length}`);
  }
  return layers.map((descriptor, index) => ({ descriptor, expectedDiffId: diffIds[index] }));
}
