import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const createVolume = (world: World) =>
  world.ask('POST', '/volumes/create', { body: { Name: 'box', Labels: { of: 'faults' } } });

const createNetwork = (world: World) =>
  world.ask('POST', '/networks/create', { body: { Name: 'lan', CheckDuplicate: true } });

const runOn = async (world: World, ...networks: readonly string[]): Promise<void> => {
  const body = { Image: 'busybox', Cmd: ['sleep', '1000'] };
  await world.must('POST', '/containers/create?name=subject', body);
  await world.must('POST', '/containers/subject/start');
  await world.must('POST', '/networks/create', { Name: 'lan' });
  for (const network of networks) await world.must('POST', `/networks/${network}/connect`, { Container: 'subject' });
};

export const networkScenarios: readonly Scenario[] = [
  { name: 'volume create', act: createVolume },
  {
    name: 'volume remove',
    prepare: createVolume,
    act: (world) => world.ask('DELETE', '/volumes/box'),
    alreadyDone: [404],
  },
  { name: 'network create', act: createNetwork, alreadyDone: [409] },
  {
    name: 'network remove',
    prepare: createNetwork,
    act: (world) => world.ask('DELETE', '/networks/lan'),
    alreadyDone: [404],
  },
  {
    name: 'network connect',
    prepare: (world) => runOn(world),
    act: (world) => world.ask('POST', '/networks/lan/connect', { body: { Container: 'subject' } }),
    alreadyDone: [403],
  },
  {
    name: 'network disconnect',
    prepare: (world) => runOn(world, 'lan'),
    act: (world) => world.ask('POST', '/networks/lan/disconnect', { body: { Container: 'subject' } }),
    alreadyDone: [404, 500],
  },
];
