import type { Subject } from '../scenario.js';
import { GrownList, medianMs, medianOfSamples } from './grown-list.js';
import type { Growth } from './growth.js';
import { imageArchive } from './image-archive.js';

const repository = 'gantry-growth';
const batch = 50;

/** Loaded images, each with a layer of its own that has one small file. */
export const images: Growth = {
  name: 'images',
  most: 10_000,
  begin({ engine }: Subject) {
    const made = new GrownList();
    const load = async (first: number, count: number): Promise<readonly string[]> => {
      const tags = Array.from({ length: count }, (_, offset) => `${repository}:i${first + offset}`);
      const body = await imageArchive(tags);
      const progress = (
        await engine.bytes('POST', '/images/load?quiet=1', { body, type: 'application/x-tar' })
      ).toString();
      if (progress.includes('"errorDetail"')) throw new Error(`POST /images/load: ${progress}`);
      return tags;
    };
    const remove = (name: string) => engine.bytes('DELETE', `/images/${name}?force=1`);
    return {
      get size() {
        return made.size;
      },
      grow: async (size) => {
        for (let first = made.size; first < size; first += batch) {
          made.add(await load(first, Math.min(batch, size - first)));
        }
      },
      count: async () => {
        const all = await engine.ask<readonly { readonly RepoTags: readonly string[] | null }[]>('GET', '/images/json');
        return all.filter(({ RepoTags }) => RepoTags?.some((tag) => tag.startsWith(`${repository}:`))).length;
      },
      costs: async () => ({
        'list of images ms': await medianMs(() => engine.bytes('GET', '/images/json')),
        'inspect of an image ms': await medianOfSamples(made, (name) => engine.bytes('GET', `/images/${name}/json`)),
        'load and remove one more ms': await medianMs(async () => {
          const [name = ''] = await load(made.size, 1);
          await remove(name);
        }),
        'tag and untag one ms': await medianOfSamples(made, async (name) => {
          await engine.bytes('POST', `/images/${name}/tag?repo=${repository}&tag=other`);
          await engine.bytes('DELETE', `/images/${repository}:other`);
        }),
      }),
      remove: () => made.remove(remove),
    };
  },
};
