import { parseArgs } from 'node:util';
import { measureAdoption } from './measure-adoption.js';
import { ProgramScope } from './program-scope.js';

const { values } = parseArgs({ options: { containers: { type: 'string', default: '100' } } });

const scope = new ProgramScope();
try {
  const found = await measureAdoption(scope, Number(values.containers));
  console.table(found);
  const { containers, adopted, codes, times, logs } = found;
  process.exitCode = [adopted, codes, times, logs].every((count) => count === containers) ? 0 : 1;
} finally {
  await scope.end();
}
