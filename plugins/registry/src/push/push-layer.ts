import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Semaphore } from '@gantry/core/driver';
import { progressItem } from '@gantry/core/http';
import type { ContentLayer, ImageExchange } from '@gantry/images/service';
import { type Progress, shortId, step, throttled } from '../progress.js';
import { statBlob } from '../remote/blobs.js';
import { type Descriptor, mediaTypes } from '../remote/manifest.js';
import { pushScope, type Repository } from '../remote/repository.js';
import type { RegistrySession } from '../remote/session.js';
import { compress } from './compress.js';
import type { LayerDigests } from './layer-digests.js';
import { mountBlob } from './mount-blob.js';
import { upload } from './upload.js';

export interface PushLayerParts {
  readonly exchange: ImageExchange;
  readonly digests: LayerDigests;
  readonly slots: Semaphore;
  /** For blobs that are being pushed; files in it may be removed while no push runs. */
  readonly directory: string;
  readonly chunkBytes: number;
}

export interface PushTarget {
  readonly session: RegistrySession;
  readonly repository: Repository;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Tries this many of what is known of a layer before it is compressed. */
const tries = 4;

/** Brings a layer to a repository, with as little work as what is known of it allows. Resolves to its blob. */
export async function pushLayer(parts: PushLayerParts, target: PushTarget, layer: ContentLayer): Promise<Descriptor> {
  const { progress, signal } = target;
  const id = shortId(layer.diffId);
  if (parts.slots.isExhausted) progress(step('Waiting', id));
  const leave = await parts.slots.acquire({ signal });
  try {
    const there = await findThere(parts, target, layer);
    if (there !== undefined) {
      progress(step('Layer already exists', id));
      return there;
    }
    const mounted = await mount(parts, target, layer);
    if (mounted !== undefined) return mounted;
    return await send(parts, target, layer, id);
  } finally {
    leave();
  }
}

/** A blob of the layer that the repository has. */
async function findThere(
  { digests }: PushLayerParts,
  { session, repository, signal }: PushTarget,
  layer: ContentLayer,
): Promise<Descriptor | undefined> {
  for (const { digest } of digests.of(layer.diffId).slice(0, tries)) {
    const size = await statBlob(session, repository, digest, pushScope(repository), signal);
    if (size !== undefined) return { mediaType: mediaTypes.layer, digest, size };
  }
  return undefined;
}

/** Takes the layer from another repository of the registry that is known to have had it. */
async function mount(
  { digests }: PushLayerParts,
  { session, repository, progress, signal }: PushTarget,
  layer: ContentLayer,
): Promise<Descriptor | undefined> {
  const prefix = `${repository.registry}/`;
  const candidates = digests
    .of(layer.diffId)
    .flatMap(({ digest, size, repositories }) => repositories.map((place) => ({ digest, size, place })))
    .filter(({ place }) => place.startsWith(prefix) && place !== `${prefix}${repository.path}`);
  for (const { digest, size, place } of candidates.slice(0, tries)) {
    const from = place.slice(prefix.length);
    const opened = await mountBlob(session, repository, digest, from, signal);
    if (opened === undefined) {
      progress(step(`Mounted from ${from}`, shortId(layer.diffId)));
      return { mediaType: mediaTypes.layer, digest, size };
    }
    if (opened !== null) await session.cancel(opened, pushScope(repository));
  }
  return undefined;
}

async function send(
  { exchange, directory, chunkBytes }: PushLayerParts,
  { session, repository, progress, signal }: PushTarget,
  layer: ContentLayer,
  id: string,
): Promise<Descriptor> {
  const file = path.join(directory, `push-${randomBytes(8).toString('hex')}`);
  try {
    const prepared = throttled((read) =>
      progress(progressItem('Preparing', id, Math.min(read, layer.size), layer.size)),
    );
    const { digest, size } = await compress(await exchange.openLayer(layer.storageId, { signal }), file, {
      signal,
      onBytes: prepared,
    });
    const blob = { mediaType: mediaTypes.layer, digest, size };
    if ((await statBlob(session, repository, digest, pushScope(repository), signal)) !== undefined) {
      progress(step('Layer already exists', id));
      return blob;
    }
    const sent = throttled((current) => progress(progressItem('Pushing', id, current, size)));
    await upload({
      session,
      repository,
      chunkBytes,
      signal,
      source: {
        digest,
        size,
        open: (start, end) => createReadStream(file, { start, end: Math.max(start, end - 1), highWaterMark: 2 ** 20 }),
      },
      onBytes: (current) => sent(current, current === size),
    });
    progress(step('Pushed', id));
    return blob;
  } finally {
    await rm(file, { force: true });
  }
}
