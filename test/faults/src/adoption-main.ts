import { parseArgs } from 'node:util';
import { runProgram } from '@gantry/test-nodes';
import { measureAdoption } from './measure-adoption.js';

const { values } = parseArgs({ options: { containers: { type: 'string', default: '100' } } });

await runProgram(async (scope) => {
  const found = await measureAdoption(scope, Number(values.containers));
  console.table(found);
  const { containers, adopted, codes, times, logs } = found;
  process.exitCode = [adopted, codes, times, logs].every((count) => count === containers) ? 0 : 1;
});
