import { parseArgs } from 'node:util';
import { runProgram } from '@gantry/test-nodes';
import { soak } from './soak/soak.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'kill-seconds': { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

await runProgram(async (scope) => {
  const request = {
    minutes: Number(values.minutes),
    killSeconds: Number(values['kill-seconds']),
    seed: Number(values.seed),
  };
  console.log(`seed ${request.seed}`);
  const wrong = await soak(scope, request, (line) => console.log(line));
  for (const words of wrong) console.log(`✘ ${words}`);
  console.log(`${wrong.length} violations`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
});
