import { concurrently } from '../concurrently.js';
import { percentile, timed } from '../measurements.js';
import type { Subject } from '../scenario.js';
import { GrownList, medianMs, medianOfSamples } from './grown-list.js';
import type { Growth } from './growth.js';
import { filterOf, labelOf } from './labels.js';

const kind = 'running';

/** Statistics of so many are asked for at once. */
const readers = 64;

/** Containers on the default network that do nothing. */
export const runningContainers: Growth = {
  name: 'running containers',
  most: 1000,
  begin({ engine, containers }: Subject) {
    const made = new GrownList();
    const settings = { Cmd: ['sleep', '1000000'], Labels: labelOf(kind) };
    const run = async (): Promise<string> => {
      const id = await containers.create(settings);
      try {
        await containers.start(id);
      } catch (error) {
        await containers.remove(id);
        throw error;
      }
      return id;
    };
    const statistics = async (query: string): Promise<number> => {
      const all: number[] = [];
      await timed(all, () =>
        concurrently(made.names, readers, async (id) => {
          await engine.drain(`/containers/${id}/stats?${query}`, { version: '1.41' });
        }),
      );
      return all[0] ?? Number.NaN;
    };
    return {
      get size() {
        return made.size;
      },
      grow: (size) => made.grow(size, run),
      count: async () =>
        (await engine.ask<readonly unknown[]>('GET', `/containers/json?filters=${filterOf(kind)}`)).length,
      costs: async () => {
        const starts: number[] = [];
        const removals: number[] = [];
        for (let round = 0; round < 5; round += 1) {
          const id = await containers.create(settings);
          await timed(starts, () => containers.start(id));
          await timed(removals, () => containers.remove(id));
        }
        return {
          'list of running containers ms': await medianMs(() => engine.bytes('GET', '/containers/json')),
          'inspect of one ms': await medianOfSamples(made, (id) => engine.bytes('GET', `/containers/${id}/json`)),
          'start of one more ms': percentile(starts, 0.5),
          'removal of a running one ms': percentile(removals, 0.5),
          'statistics of all, one-shot, ms': await statistics('stream=0&one-shot=1'),
          'statistics of all, two samples each, ms': await statistics('stream=0'),
        };
      },
      remove: () => made.remove((id) => containers.remove(id)),
    };
  },
};
