import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { parseReference } from '@gantry/images/service';
import { RegistryClient, type RegistryTarget, type ResolvedManifest } from '@gantry/registry/service';
import { parseManifest } from '../manifest/parse-manifest.js';
import type { PluginRecord } from '../store/plugin-record.js';
import { PluginFiles } from './plugin-files.js';

const pluginType = 'application/vnd.docker.plugin.v1+json';

/** Suffix of an incomplete directory. */
const partialSuffix = '.part';

interface Layer {
  readonly descriptor: ResolvedManifest['manifest']['layers'][number];
  /** Undefined where the configuration names none. */
  readonly expectedDiffId: string | undefined;
}

/** Downloads plugins from registries and unpacks them. */
@injectable()
export class PluginInstaller {
  constructor(
    @inject(RegistryClient.token) private readonly registry: RegistryClient,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
    @inject(PluginFiles) private readonly files: PluginFiles,
  ) {}

  /** Resolves to the record of the plugin, disabled. On rejection nothing is left. */
  async install(target: RegistryTarget, options: { readonly signal: AbortSignal }): Promise<PluginRecord> {
    const resolved = await this.registry.resolve(target, options);
    const { config } = resolved.manifest;
    if (config.mediaType !== pluginType) {
      throw internal(`${target.reference} is no plugin: its configuration has the type ${config.mediaType}`);
    }
    const manifest = parseManifest(await this.registry.document(target, config, options), target.reference);
    const layers = layersOf(resolved, manifest.rootfs.diff_ids, target.reference);
    const { repository, tag, digest } = parseReference(target.reference);
    const id = randomBytes(32).toString('hex');
    const partial = this.files.directoriesOf(`${id}${partialSuffix}`);
    await mkdir(partial.rootfs, { recursive: true, mode: 0o755 });
    try {
      for (const layer of layers) await this.#unpack(target, layer, partial.rootfs, options);
      crashPoint('plugin.pull.unpacked');
      await rename(partial.directory, this.files.directoriesOf(id).directory);
    } catch (error) {
      await this.archives.get().removeTree(partial.directory);
      throw error;
    }
    return { id, repository, tag: digest ?? tag ?? 'latest', digest: resolved.digest, enabled: false, manifest };
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
