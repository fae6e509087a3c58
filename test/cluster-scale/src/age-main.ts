import { writeFile } from 'node:fs/promises';
import { parseAgeOptions } from './age/age-options.js';
import { describeYear } from './age/describe-year.js';
import { runYear } from './age/run-year.js';

const options = parseAgeOptions(process.argv.slice(2));
const releases: (() => Promise<void> | void)[] = [];
let released: Promise<void> | undefined;
/** Once, and everything, also when an interruption fails what is in progress. */
const release = (): Promise<void> => {
  released ??= releaseAll();
  return released;
};
async function releaseAll(): Promise<void> {
  for (const each of releases.reverse()) await Promise.resolve(each()).catch((error) => console.error(error));
}
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) void release().finally(() => process.exit(1));
    interruption.abort();
  });
}
const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const scope = { teardown: (each: () => Promise<void> | void) => void releases.push(each) };
  const year = await runYear(scope, options, print, interruption.signal);
  const { faults, figures } = describeYear(year);
  for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(40)} ${value}`);
  for (const fault of faults) print(`✘ ${fault}`);
  print(`${faults.length} violations`);
  if (options.json !== undefined) {
    const { samples } = year;
    await writeFile(options.json, `${JSON.stringify({ options, figures, faults, samples }, null, 2)}\n`);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await release();
}
