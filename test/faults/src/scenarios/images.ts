import { buildArchive, imageArchive, rootArchive } from '@gantry/host';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const load = (world: World) => world.ask('POST', '/images/load', { body: imageArchive });
const tag = (world: World) => world.ask('POST', '/images/web:1/tag?repo=other&tag=2');
const repositoryOf = ({ registry }: World): string => `${registry}/web`;

const push = (world: World) =>
  world.ask('POST', `/images/${repositoryOf(world)}/push?tag=1`, { headers: { 'X-Registry-Auth': 'e30=' } });

const tagged = async (world: World): Promise<void> => {
  await world.must('POST', '/images/load', imageArchive);
  await world.must('POST', `/images/web:1/tag?repo=${repositoryOf(world)}&tag=1`);
};

export const imageScenarios: readonly Scenario[] = [
  { name: 'load', act: load },
  {
    name: 'import',
    act: (world) => world.ask('POST', '/images/create?fromSrc=-&repo=imported&tag=1', { body: rootArchive }),
  },
  { name: 'tag', prepare: load, act: tag },
  {
    name: 'untag',
    prepare: async (world) => {
      await load(world);
      await tag(world);
    },
    act: (world) => world.ask('DELETE', '/images/other:2'),
    alreadyDone: [404],
  },
  {
    name: 'image delete',
    prepare: load,
    act: (world) => world.ask('DELETE', '/images/web:1'),
    alreadyDone: [404],
  },
  {
    name: 'commit',
    prepare: async (world) => {
      const body = { Image: 'busybox', Cmd: ['sh', '-c', 'echo new > /new; sleep 1000'] };
      await world.must('POST', '/containers/create?name=subject', body);
      await world.must('POST', '/containers/subject/start');
    },
    act: (world) => world.ask('POST', '/commit?container=subject&repo=committed&tag=1'),
    // It is paused while its files are read.
    mayLeave: (state) => state.some((line) => line.startsWith('container /subject paused')),
    retry: async (world) => {
      await world.ask('POST', '/containers/subject/unpause');
      return world.ask('POST', '/commit?container=subject&repo=committed&tag=1');
    },
  },
  {
    name: 'build',
    act: (world) => world.ask('POST', '/build?t=built:1&nocache=1', { body: buildArchive }),
  },
  { name: 'push', prepare: tagged, act: push },
  {
    name: 'pull',
    prepare: async (world) => {
      await tagged(world);
      await push(world);
      await world.must('DELETE', '/images/web:1');
      await world.must('DELETE', `/images/${repositoryOf(world)}:1`);
    },
    act: (world) => world.ask('POST', `/images/create?fromImage=${repositoryOf(world)}&tag=1`),
  },
];
