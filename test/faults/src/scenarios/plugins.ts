import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

/** The example, which the world's registry has. */
const pluginOf = ({ registry }: Pick<World, 'registry'>): string => `${registry}/example`;

const pull = (world: World) => world.ask('POST', `/plugins/pull?name=${pluginOf(world)}`);
const enable = (world: World) => world.ask('POST', `/plugins/${pluginOf(world)}/enable`);

const enabled = async (world: World): Promise<void> => {
  await pull(world);
  await world.must('POST', `/plugins/${pluginOf(world)}/enable`);
};

export const pluginScenarios: readonly Scenario[] = [
  { name: 'plugin pull', act: pull, alreadyDone: [409, 500] },
  { name: 'plugin enable', prepare: pull, act: enable, alreadyDone: [409, 500] },
  {
    name: 'plugin disable',
    prepare: enabled,
    act: (world) => world.ask('POST', `/plugins/${pluginOf(world)}/disable`),
    alreadyDone: [409, 500],
  },
  {
    name: 'plugin remove',
    prepare: pull,
    act: (world) => world.ask('DELETE', `/plugins/${pluginOf(world)}`),
    alreadyDone: [404],
  },
];
