import { writeFile } from 'node:fs/promises';
import { runProgram } from '@gantry/test-nodes';
import type { Figures } from './measure/figures.js';
import { runMeasurements } from './measure/run-measurements.js';
import { parseOptions } from './options.js';

const options = parseOptions(process.argv.slice(2));
if (options.profile !== undefined) process.env.PROFILE = options.profile;
await runProgram(async (scope) => {
  const figures: Figures = {};
  await runMeasurements(scope, options, (more) => {
    Object.assign(figures, more);
    for (const [name, value] of Object.entries(more)) process.stdout.write(`${name.padEnd(64)} ${value}\n`);
  });
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ options, figures }, null, 2)}\n`);
});
