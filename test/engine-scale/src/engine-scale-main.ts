import { writeFile } from 'node:fs/promises';
import { growthTable } from '@gantry/bench';
import type { Scope } from '@gantry/test-nodes';
import { type MeasuredEngine, startOwn, toMeasured } from './engines/measured-engine.js';
import { type KindFigures, measureEngine } from './measure/measure-engine.js';
import { parseOptions, type ScaleOptions, usage } from './options.js';

const releases: (() => Promise<void> | void)[] = [];
const scope: Scope = { teardown: (release) => void releases.push(release) };

/** A release that fails does not keep the others from being done: a daemon removes what its requests could not. */
async function releaseAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const release of releases.splice(0).reverse()) {
    try {
      await release();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not everything was removed');
}

/** A signal fails what is under way, so that the program ends as after any other error. A second one changes nothing. */
const interruption = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => reject(new Error(signal)));
});

async function measure(measured: MeasuredEngine, options: ScaleOptions): Promise<readonly KindFigures[]> {
  const found: KindFigures[] = [];
  for await (const figures of measureEngine(scope, measured, options)) {
    const { kind, limit, points } = figures;
    console.log(`\n${growthTable(`${kind} (${measured.name})`, points)}`);
    if (limit !== undefined) console.log(`\nno more ${kind} than ${limit}`);
    found.push(figures);
  }
  return found;
}

async function main(options: ScaleOptions): Promise<void> {
  const engines: { readonly engine: string; readonly kinds: readonly KindFigures[] }[] = [];
  if (options.hasOwn) {
    engines.push({ engine: 'gantry', kinds: await measure(await startOwn(scope, options), options) });
    await releaseAll();
  }
  for (const other of options.others) {
    engines.push({ engine: other.name, kinds: await measure(toMeasured(scope, other), options) });
    await releaseAll();
  }
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ counts: options.counts, engines }, undefined, 1)}\n`);
  }
}

let options: ScaleOptions | undefined;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 1;
}
if (options !== undefined) await Promise.race([main(options), interruption]).finally(releaseAll);
