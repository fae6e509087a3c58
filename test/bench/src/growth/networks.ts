import type { Subject } from '../scenario.js';
import { GrownList, medianMs, medianOfSamples } from './grown-list.js';
import type { Growth } from './growth.js';
import { filterOf, labelOf } from './labels.js';

const kind = 'network';

/** Bridge networks, with subnets that the engine chooses: it needs enough of them in its pools. */
export const networks: Growth = {
  name: 'networks',
  most: 1000,
  begin({ engine, containers }: Subject) {
    const made = new GrownList();
    const create = async (name: string): Promise<string> => {
      const body = { Name: name, Driver: 'bridge', Labels: labelOf(kind) };
      return (await engine.ask<{ readonly Id: string }>('POST', '/networks/create', { body })).Id;
    };
    const remove = (id: string) => engine.bytes('DELETE', `/networks/${id}`);
    return {
      get size() {
        return made.size;
      },
      grow: (size) => made.grow(size, (index) => create(`gantry-growth-${index}`)),
      count: async () => (await engine.ask<readonly unknown[]>('GET', `/networks?filters=${filterOf(kind)}`)).length,
      costs: async () => ({
        'list of networks ms': await medianMs(() => engine.bytes('GET', '/networks')),
        'inspect of a network ms': await medianOfSamples(made, (id) => engine.bytes('GET', `/networks/${id}`)),
        'create and remove one more ms': await medianMs(async () => remove(await create('gantry-growth-more'))),
        'container on one, create to removal, ms': await medianMs(async (round) => {
          const network = made.samples[round % made.samples.length];
          const id = await containers.create({ Cmd: ['true'], HostConfig: { NetworkMode: network } });
          await containers.start(id);
          await containers.wait(id);
          await containers.remove(id);
        }),
      }),
      remove: () => made.remove(remove),
    };
  },
};
