import { writeFile } from 'node:fs/promises';
import type { Figures } from './measure/figures.js';
import { runMeasurements } from './measure/run-measurements.js';
import { parseOptions } from './options.js';

const options = parseOptions(process.argv.slice(2));
const releases: (() => Promise<void> | void)[] = [];
const figures: Figures = {};
if (options.profile !== undefined) process.env.PROFILE = options.profile;
const release = async (): Promise<void> => {
  for (const each of releases.splice(0).reverse()) await each();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void release().then(() => process.exit(1)));
try {
  await runMeasurements({ teardown: (release) => void releases.push(release) }, options, (more) => {
    Object.assign(figures, more);
    for (const [name, value] of Object.entries(more)) process.stdout.write(`${name.padEnd(64)} ${value}\n`);
  });
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ options, figures }, null, 2)}\n`);
} finally {
  await release();
}
