import { writeFile } from 'node:fs/promises';
import { runProgram } from '@gantry/test-nodes';
import { parseAgeOptions } from './age/age-options.js';
import { describeYear } from './age/describe-year.js';
import { runYear } from './age/run-year.js';

const options = parseAgeOptions(process.argv.slice(2));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runProgram(
  async (scope, interrupted) => {
    const year = await runYear(scope, options, print, interrupted);
    const { faults, figures } = describeYear(year);
    for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(40)} ${value}`);
    for (const fault of faults) print(`✘ ${fault}`);
    print(`${faults.length} violations`);
    if (options.json !== undefined) {
      const { samples } = year;
      await writeFile(options.json, `${JSON.stringify({ options, figures, faults, samples }, null, 2)}\n`);
    }
    process.exitCode = faults.length === 0 ? 0 : 1;
  },
  { finishes: true },
);
