import { archiveEnd, encodeEntry, paddingOf, plainEntry } from '@gantry/lib-archive/tar';
import type { DockerImage } from './docker-root/docker-images.js';

/** An image as `docker save` writes it. */
export async function* imageArchive({ configuration, id, layers, names }: DockerImage): AsyncGenerator<Buffer> {
  const config = `${id.replace('sha256:', '')}.json`;
  const fileOf = (diffId: string): string => `${diffId.replace('sha256:', '')}/layer.tar`;
  const manifest = [{ Config: config, RepoTags: names, Layers: layers.map(({ diffId }) => fileOf(diffId)) }];
  yield* member('manifest.json', Buffer.from(JSON.stringify(manifest)));
  yield* member(config, Buffer.from(configuration));
  const written = new Set<string>();
  for (const { archive, diffId } of layers) {
    // An image may have the same changes twice, such as none.
    if (written.has(diffId)) continue;
    written.add(diffId);
    const split = await archive();
    const size = await split.size();
    yield headerOf(fileOf(diffId), size);
    yield* split.bytes();
    yield Buffer.alloc(paddingOf(size));
  }
  yield archiveEnd;
}

function* member(name: string, content: Buffer): Generator<Buffer> {
  yield headerOf(name, content.length);
  yield content;
  yield Buffer.alloc(paddingOf(content.length));
}

const headerOf = (name: string, size: number): Buffer => encodeEntry({ ...plainEntry, name, size });
