import type { Subject } from '../scenario.js';
import { GrownList, medianMs, medianOfSamples } from './grown-list.js';
import type { Growth } from './growth.js';
import { filterOf, labelOf } from './labels.js';

const kind = 'stopped';

/** Containers that ran and have exited. */
export const stoppedContainers: Growth = {
  name: 'stopped containers',
  most: 10_000,
  begin({ engine, containers }: Subject) {
    const made = new GrownList();
    const settings = { Cmd: ['true'], Labels: labelOf(kind), HostConfig: { NetworkMode: 'none' } };
    return {
      get size() {
        return made.size;
      },
      grow: (size) =>
        made.grow(size, async () => {
          const id = await containers.create(settings);
          await containers.start(id);
          await containers.wait(id);
          return id;
        }),
      count: async () =>
        (await engine.ask<readonly unknown[]>('GET', `/containers/json?all=1&filters=${filterOf(kind)}`)).length,
      costs: async () => ({
        'list of all containers ms': await medianMs(() => engine.bytes('GET', '/containers/json?all=1')),
        'list of running containers ms': await medianMs(() => engine.bytes('GET', '/containers/json')),
        'inspect of a container ms': await medianOfSamples(made, (id) => engine.bytes('GET', `/containers/${id}/json`)),
        'create and remove one more ms': await medianMs(async () =>
          containers.remove(await containers.create(settings)),
        ),
      }),
      remove: () => made.remove((id) => containers.remove(id)),
    };
  },
};
