import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { LayerSource } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { internal, invalidArgument, kindOf } from '@gantry/core/errors';
import { inject, injectable } from '@gantry/core/plugin';
import { ImageExchange, layerLimit } from '@gantry/images/service';
import { Downloads } from '../downloads/downloads.js';
import { type Progress, step } from '../progress.js';
import { LayerDigests } from '../push/layer-digests.js';
import { PulledManifests } from '../push/pulled-manifests.js';
import type { Access } from '../remote/endpoints.js';
import { hostPlatform, type ImageManifest, mediaTypes } from '../remote/manifest.js';
import type { ServedManifest } from '../remote/resolve-image.js';
import { fetchConfiguration } from './fetch-configuration.js';
import { LayerFetch } from './layer-fetch.js';

interface ImagePull {
  readonly access: Access;
  readonly manifest: ImageManifest;
  /** The manifest as the registry served it. */
  readonly served: ServedManifest;
  /** Names the image gets. */
  readonly references: readonly string[];
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Downloads and adds the image of one manifest. */
@injectable()
export class PullImage {
  constructor(
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(Downloads) private readonly downloads: Downloads,
    @inject(LayerDigests) private readonly digests: LayerDigests,
    @inject(PulledManifests) private readonly pulled: PulledManifests,
  ) {}

  /**
   * Pulls the image of a manifest: its layers download side by side, and are extracted from the bottom up as they
   * come. Resolves to its id and configuration. On rejection nothing is left but downloads to be resumed.
   */
  async pull(pull: ImagePull): Promise<{ readonly id: string; readonly configuration: string }> {
    const { exchange, downloads, digests } = this;
    const { access, manifest, progress, references } = pull;
    checkConfigType(manifest.config.mediaType);
    const { length } = manifest.layers;
    if (length > layerLimit) throw internal(`the image has ${length} layers, more than the ${layerLimit} allowed`);
    // Ends the rest of an image that cannot be made any more: its last layer may fail while the first is extracted.
    const stop = new AbortController();
    const fail = (error: unknown): void => stop.abort(error);
    const signal = AbortSignal.any([pull.signal, stop.signal]);
    // Every layer listens.
    setMaxListeners(0, signal);
    const fetches = manifest.layers.map((layer) => new LayerFetch(layer, access, downloads, progress, signal, fail));
    try {
      const configuration = await fetchConfiguration(access, manifest.config, signal);
      const diffIds = diffIdsOf(configuration, manifest);
      const present = exchange.presentLayers(diffIds);
      const isKnown = isImage(exchange, manifest.config.digest);
      for (const [index, fetch] of isKnown ? [] : fetches.entries()) {
        progress(step(index < present ? 'Already exists' : 'Pulling fs layer', fetch.id));
      }
      for (const fetch of fetches.slice(present)) fetch.begin();
      const id = await exchange.add(
        {
          configuration,
          references,
          openLayer: (index): Promise<LayerSource> => fetchAt(fetches, index).open(),
          onLayer: (index, opened) => {
            if (index >= present) fetchAt(fetches, index).finished(opened);
          },
        },
        { signal },
      );
      crashPoint('registry.pull.added');
      if (id !== manifest.config.digest)
        throw internal(`image ${id} is not the ${manifest.config.digest} it should be`);
      await digests.add(
        access.repository,
        manifest.layers.map((layer, index) => ({ diffId: diffIds[index] ?? '', blob: layer })),
      );
      const { registry, path } = access.repository;
      const { bytes, mediaType } = pull.served;
      // Its text has to lead to the same digest.
      if (isUtf8(bytes)) {
        await this.pulled.add(id, { text: bytes.toString('utf8'), mediaType, place: `${registry}/${path}` });
      }
      await downloads.discard(manifest.layers.map(({ digest }) => digest));
      return { id, configuration };
    } catch (error) {
      const failure: unknown = stop.signal.aborted && !pull.signal.aborted ? stop.signal.reason : error;
      stop.abort(failure);
      if (kindOf(error) === 'invalid-argument') for (const fetch of fetches) fetch.reject();
      throw failure;
    } finally {
      await Promise.all(fetches.map((fetch) => fetch.release()));
      await downloads.collect();
    }
  }
}

/** Clients get no progress for the layers of an image that exists. */
function isImage(exchange: ImageExchange, id: string): boolean {
  try {
    return exchange.content(id).id === id;
  } catch {
    return false;
  }
}

function fetchAt(fetches: readonly LayerFetch[], index: number): LayerFetch {
  const fetch = fetches[index];
  if (fetch === undefined) throw internal(`the image has no layer ${index}`);
  return fetch;
}

/** What else registries keep looks like an image, too. */
function checkConfigType(type: string | undefined): void {
  const isImage = [
    mediaTypes.config,
    'application/vnd.oci.image.config.v1+json',
    'application/octet-stream',
    '',
    undefined,
  ];
  if (isImage.includes(type)) return;
  const what = type?.includes('plugin') ? 'plugin config' : 'unknown config';
  throw invalidArgument(`Encountered remote ${JSON.stringify(type)}(${what}) when fetching`);
}

function diffIdsOf(configuration: string, manifest: ImageManifest): readonly string[] {
  let document: { readonly os?: unknown; readonly rootfs?: { readonly diff_ids?: unknown } } | null;
  try {
    document = JSON.parse(configuration) as typeof document;
  } catch (cause) {
    throw internal(`the configuration ${manifest.config.digest} is not JSON`, { cause });
  }
  const os = document?.os;
  if (typeof os === 'string' && os !== '' && os !== hostPlatform.os) {
    throw internal(`image operating system ${JSON.stringify(os)} cannot be used on this platform`);
  }
  const list: unknown = document?.rootfs?.diff_ids;
  const diffIds = Array.isArray(list) ? list.map(String) : [];
  if (diffIds.length !== manifest.layers.length) {
    throw internal(`the configuration names ${diffIds.length} layers, but the manifest has ${manifest.layers.length}`);
  }
  return diffIds;
}
