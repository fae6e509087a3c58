import { randomBytes } from 'node:crypto';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { RegistryClient, type RegistryTarget, type ResolvedManifest } from '@gantry/registry/service';
import { parseManifest } from '../manifest/parse-manifest.js';
import type { PluginRecord } from '../store/plugin-record.js';
import { PluginFiles } from './plugin-files.js';

const pluginType = 'application/vnd.docker.plugin.v1+json';

interface Layer {
  readonly descriptor: ResolvedManifest['manifest']['layers'][number];
  /** Undefined where the configuration names none. */
  readonly expectedDiffId: string | undefined;
}

/** A plugin in a registry. */
interface ResolvedPlugin extends Pick<PluginRecord, 'digest' | 'manifest'> {
  readonly target: RegistryTarget;
  readonly layers: readonly Layer[];
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
    const manifest = parseManifest(await this.registry.document(target, config, options), target.reference);
    const layers = layersOf(resolved, manifest.rootfs.diff_ids, target.reference);
    return { target, digest: resolved.digest, manifest, layers };
  }

  /** Downloads and unpacks it. Resolves to the name of the directory. On rejection nothing is left. */
  async install({ layers, target }: ResolvedPlugin, options: { readonly signal: AbortSignal }): Promise<string> {
    const files = randomBytes(32).toString('hex');
    await this.files.create(files, async (rootfs) => {
      for (const layer of layers) await this.#unpack(target, layer, rootfs, options);
    });
    return files;
  }

  async #unpack(
    target: RegistryTarget,
    { descriptor, expectedDiffId }: Layer,
    rootfs: string,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const { file, release } = await this.registry.fetch(target, descriptor, options);
    let isUsed = false;
    try {
      await this.archives.get().extractLayer({ file }, rootfs, {
        hostOwners: true,
        whiteouts: 'apply',
        ...options,
        ...(expectedDiffId !== undefined && { expectedDiffId }),
      });
      isUsed = true;
    } finally {
      await release(isUsed);
    }
  }
}

function layersOf({ manifest: { layers } }: ResolvedManifest, diffIds: readonly string[], name: string): Layer[] {
  if (diffIds.length > 0 && diffIds.length !== layers.length) {
    throw internal(`plugin ${name} has ${layers.length} layers, but names ${diffIds.length}`);
  }
  return layers.map((descriptor, index) => ({ descriptor, expectedDiffId: diffIds[index] }));
}
