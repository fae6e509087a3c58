import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const lines = 400;

const numbersOf = async (world: World): Promise<readonly number[]> => {
  const answer = await world.ask('GET', '/containers/subject/logs?stdout=1');
  return [...(answer?.text ?? '').matchAll(/line (\d+)\n/g)].map(([, digits]) => Number(digits));
};

export const logScenarios: readonly Scenario[] = [
  {
    name: 'logs that are rotated',
    points: /^log-json-file/,
    prepare: async (world) => {
      await world.must('POST', '/containers/create?name=subject', {
        Image: 'busybox',
        Cmd: ['sh', '-c', `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; done; sleep 1000`],
        HostConfig: {
          NetworkMode: 'none',
          LogConfig: { Type: 'json-file', Config: { 'max-size': '4k', 'max-file': '50', compress: 'true' } },
        },
      });
    },
    act: async (world) => {
      const answer = await world.ask('POST', '/containers/subject/start');
      for (let round = 0; round < 40 && (await numbersOf(world)).length < lines; round++) await delay(50);
      return answer;
    },
    verify: async (world) => {
      // When the daemon died during the first start, the start was not acknowledged; then there is a second run.
      const numbers = await numbersOf(world);
      const wrong = numbers.findIndex((number, index) => number !== 1 && number !== (numbers[index - 1] ?? 0) + 1);
      if (numbers.at(-1) === lines && wrong < 0) return [];
      return [`${numbers.length} lines of ${lines} are there, the first that is wrong is ${wrong}`];
    },
    alreadyDone: [304],
  },
];
