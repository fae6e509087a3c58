import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { internal } from '@gantry/core/errors';
import { parseReference } from '@gantry/images/service';
import type { RegistryClient, RegistryTarget, ResolvedManifest } from '@gantry/registry/service';
import { parseManifest } from './manifest/manifest.js';
import type { PluginRecord } from './record.js';
import { type PluginDirectories, placeOf } from './run/place.js';

const pluginType = 'application/vnd.docker.plugin.v1+json';

/** Ends the name of a directory that is not complete. */
const partSuffix = '.part';

export interface Installing {
  readonly registry: RegistryClient;
  readonly archive: ArchiveDriver;
  readonly directories: PluginDirectories;
}

/** Fetches a plugin and unpacks its files. On rejection nothing is left. */
export async function install(parts: Installing, target: RegistryTarget, signal: AbortSignal): Promise<PluginRecord> {
  const { archive, directories, registry } = parts;
  const resolved = await registry.resolve(target, { signal });
  const { config } = resolved.manifest;
  if (config.mediaType !== pluginType) {
    throw internal(`${target.reference} is no plugin: its configuration has the type ${config.mediaType}`);
  }
  const manifest = parseManifest(await registry.document(target, config, { signal }), target.reference);
  const { repository, tag, digest } = parseReference(target.reference);
  const id = randomBytes(32).toString('hex');
  const staged = placeOf(directories, `${id}${partSuffix}`);
  await mkdir(staged.rootfs, { recursive: true, mode: 0o755 });
  try {
    for (const layer of layersOf(resolved, manifest.rootfs.diff_ids, target.reference)) {
      await unpack(parts, target, layer, { rootfs: staged.rootfs, signal });
    }
    crashPoint('plugin.pull.unpacked');
    await rename(staged.directory, placeOf(directories, id).directory);
  } catch (error) {
    await archive.removeTree(staged.directory);
    throw error;
  }
  return { id, repository, tag: digest ?? tag ?? 'latest', digest: resolved.digest, enabled: false, manifest };
}

interface Layer {
  readonly descriptor: ResolvedManifest['manifest']['layers'][number];
  /** Of the layer when it is expanded; undefined where the configuration names none. */
  readonly expectedDiffId: string | undefined;
}

function layersOf({ manifest: { layers } }: ResolvedManifest, diffIds: readonly string[], name: string): Layer[] {
  if (diffIds.length > 0 && diffIds.length !== layers.length) {
    throw internal(`plugin ${name} has ${layers.length} layers, but names ${diffIds.length}`);
  }
  return layers.map((descriptor, index) => ({ descriptor, expectedDiffId: diffIds[index] }));
}

async function unpack(
  { archive, registry }: Installing,
  target: RegistryTarget,
  { descriptor, expectedDiffId }: Layer,
  { rootfs, signal }: { readonly rootfs: string; readonly signal: AbortSignal },
): Promise<void> {
  const { file, release } = await registry.fetch(target, descriptor, { signal });
  let isUsed = false;
  try {
    await archive.extractLayer({ file }, rootfs, {
      whiteouts: 'apply',
      signal,
      ...(expectedDiffId !== undefined && { expectedDiffId }),
    });
    isUsed = true;
  } finally {
    await release(isUsed);
  }
}
