import { writeFile } from 'node:fs/promises';
import { buildScenario } from './builds/build-scenario.js';
import { growths } from './growth/index.js';
import { readOptions, usage } from './options.js';
import { runGrowths } from './run-growths.js';
import { runScenarios } from './run-scenarios.js';
import { scenarios } from './scenarios/index.js';
import { comparison, growthTable } from './tables.js';

async function main(): Promise<void> {
  const { engines, image, only, rounds, growth, docker, json } = readOptions(process.argv.slice(2));
  const isSelected = ({ name }: { readonly name: string }): boolean => only.length === 0 || only.includes(name);
  const all = [...scenarios, ...(docker === undefined ? [] : [buildScenario(docker)])];
  const { measured, failures } = await runScenarios(all.filter(isSelected), engines, { image, rounds });
  if (measured.some(({ figures }) => figures.size > 0)) console.log(comparison(measured));
  const grown = await runGrowths(growths.filter(isSelected), engines, { image, most: growth });
  for (const { engine, name, points } of grown) console.log(`\n${growthTable(`${name} (${engine})`, points)}`);
  if (json !== undefined) {
    const figures = measured.map((each) => ({ name: each.name, figures: Object.fromEntries(each.figures) }));
    await writeFile(json, JSON.stringify({ engines: figures, growth: grown }, undefined, 1));
  }
  for (const engine of engines) engine.close();
  for (const failure of failures) console.error(`failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 1;
}
