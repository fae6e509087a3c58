import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { ImageExchange } from '@gantry/images/service';
import { RegistryClient, type RegistryTarget } from '@gantry/registry/service';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { JobVertex } from '../progress/job-vertex.js';
import type { Attributes } from '../protocol/messages.js';
import type { ClientSession } from '../sessions/client-session.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import { targetFor } from '../sessions/registry-credentials.js';
import { digestOf, type ExportedLayer, manifestType, writeCache } from './cache-document.js';
import type { CacheExport } from './cache-options.js';

/** Images of a build. */
interface Exported {
  readonly imageId: string;
  readonly stageImages: readonly string[];
}

interface CompressedLayer extends ExportedLayer {
  readonly file: string;
}

/** Writes the images of builds, with their history, as caches for builds elsewhere. */
@injectable()
export class ExportCaches {
  readonly #directory: string;

  constructor(
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(RegistryClient.token) private readonly registry: RegistryClient,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
    @inject(PackageDirectories) directories: PackageDirectories,
  ) {
    this.#directory = join(directories.root, 'exports');
  }

  /** Removes what a crash left. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Resolves to what the client gets to know of the cache, when all of it is written. */
  async export(job: BuildJob, images: Exported, { place, isWhole, ignoresErrors }: CacheExport): Promise<Attributes> {
    const { signal } = job;
    const vertex = job.progress.vertex(
      `exporting cache to ${place.type === 'registry' ? 'registry' : 'client directory'}`,
    );
    vertex.start();
    const directory = join(this.#directory, randomBytes(8).toString('hex'));
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const session = await this.sessions.get(job.request.Session, { signal });
      const contents = (isWhole ? images.stageImages : [images.imageId]).map((id) => this.exchange.content(id));
      const stored = new Map(contents.flatMap(({ layers }) => layers.map((layer) => [layer.diffId, layer.storageId])));
      const layers: CompressedLayer[] = [];
      for (const [diffId, storageId] of stored) layers.push(await this.#compress(directory, diffId, storageId, signal));
      const documents = writeCache(
        contents.map(({ configuration }) => configuration),
        layers,
      );
      const response =
        place.type === 'registry'
          ? await this.#toRegistry(await targetFor(session, place.reference, signal), layers, {
              ...documents,
              vertex,
              signal,
            })
          : await toClient(session, place.store, layers, { ...documents, vertex, signal });
      vertex.complete();
      return response;
    } catch (error) {
      vertex.complete({ error: describeFailure(error) });
      if (!ignoresErrors || signal.aborted) throw error;
      return {};
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  async #compress(directory: string, diffId: string, storageId: string, signal: AbortSignal): Promise<CompressedLayer> {
    const file = join(directory, diffId.replace('sha256:', ''));
    const hash = createHash('sha256');
    const counted = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const layer = await this.exchange.openLayer(storageId, { signal });
    await pipeline(layer, createGzip({ level: 3 }), counted, createWriteStream(file, { mode: 0o600 }), { signal });
    return { diffId, file, digest: `sha256:${hash.digest('hex')}`, size: (await stat(file)).size };
  }

  async #toRegistry(
    target: RegistryTarget,
    layers: readonly CompressedLayer[],
    { document, manifest, vertex, signal }: Documents,
  ): Promise<Attributes> {
    for (const { digest, size, file } of layers) {
      const open = (start: number, end: number): Readable =>
        end > start ? createReadStream(file, { start, end: end - 1 }) : Readable.from([]);
      await this.registry.upload(target, { digest, size, open }, { signal });
      vertex.status(`writing layer ${digest}`, { isComplete: true });
    }
    const open = (start: number, end: number): Readable => Readable.from([document.subarray(start, end)]);
    await this.registry.upload(target, { digest: digestOf(document), size: document.length, open }, { signal });
    const digest = await this.registry.publish(target, { bytes: manifest, mediaType: manifestType }, { signal });
    vertex.status(`writing cache manifest ${digest}`, { isComplete: true });
    return {};
  }
}

interface Documents {
  readonly document: Buffer;
  readonly manifest: Buffer;
  readonly vertex: JobVertex;
  readonly signal: AbortSignal;
}

async function toClient(
  session: ClientSession,
  name: string,
  layers: readonly CompressedLayer[],
  { document, manifest, vertex, signal }: Documents,
): Promise<Attributes> {
  const store = session.contentStore(name);
  for (const layer of layers) {
    const content = createReadStream(layer.file, { highWaterMark: 2 ** 18 });
    try {
      await store.write(layer, content, { signal });
    } finally {
      content.destroy(); // the client may have refused to take it
    }
    vertex.status(`writing layer ${layer.digest}`, { isComplete: true });
  }
  const small = async (content: Buffer): Promise<{ readonly digest: string; readonly size: number }> => {
    const descriptor = { digest: digestOf(content), size: content.length };
    await store.write(descriptor, Readable.from([content]), { signal });
    return descriptor;
  };
  await small(document);
  const descriptor = { mediaType: manifestType, ...(await small(manifest)) };
  vertex.status(`writing cache manifest ${descriptor.digest}`, { isComplete: true });
  return { 'cache.manifest': JSON.stringify(descriptor) };
}
