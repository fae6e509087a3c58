import { writeFile } from 'node:fs/promises';
import { growthTable } from '@gantry/bench';
import { type ProgramScope, runProgram } from '@gantry/test-nodes';
import { type MeasuredEngine, startOwn, toMeasured } from './engines/measured-engine.js';
import { type KindFigures, measureEngine } from './measure/measure-engine.js';
import { parseOptions, type ScaleOptions, usage } from './options.js';

async function measure(
  scope: ProgramScope,
  measured: MeasuredEngine,
  options: ScaleOptions,
): Promise<readonly KindFigures[]> {
  const found: KindFigures[] = [];
  for await (const figures of measureEngine(scope, measured, options)) {
    const { kind, limit, points } = figures;
    console.log(`\n${growthTable(`${kind} (${measured.name})`, points)}`);
    if (limit !== undefined) console.log(`\nno more ${kind} than ${limit}`);
    found.push(figures);
  }
  return found;
}

async function main(scope: ProgramScope, options: ScaleOptions): Promise<void> {
  const engines: { readonly engine: string; readonly kinds: readonly KindFigures[] }[] = [];
  if (options.hasOwn) {
    engines.push({ engine: 'gantry', kinds: await measure(scope, await startOwn(scope, options), options) });
    await scope.end();
  }
  for (const other of options.others) {
    engines.push({ engine: other.name, kinds: await measure(scope, toMeasured(scope, other), options) });
    await scope.end();
  }
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ counts: options.counts, engines }, undefined, 1)}\n`);
  }
}

/** Undefined when they are wrong, which it says. */
function readOptions(): ScaleOptions | undefined {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 1;
    return undefined;
  }
}

const options = readOptions();
if (options !== undefined) await runProgram((scope) => main(scope, options));
