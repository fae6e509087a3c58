import type { Engine } from './engine.js';
import { addValues } from './measurements.js';
import type { Scenario } from './scenario.js';
import { subjectOf } from './subject-of.js';
import type { EngineFigures } from './tables.js';

interface Outcome {
  readonly measured: readonly EngineFigures[];
  /** Messages naming scenario and engine. */
  readonly failures: readonly string[];
}

/** Runs the scenarios, each round on every engine in turn, and at most so many rounds. After a failure an engine skips the rest of the scenario. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  engines: readonly Engine[],
  { image, rounds }: { readonly image: string; readonly rounds: number },
): Promise<Outcome> {
  const measured = engines.map((engine) => ({ engine, figures: new Map<string, number[]>() }));
  const failures: string[] = [];
  for (const scenario of scenarios) {
    const running = new Set(measured);
    for (let round = 0; round < Math.min(scenario.rounds, rounds); round += 1) {
      for (const each of running) {
        try {
          addValues(each.figures, await scenario.run(subjectOf(each.engine, image)));
        } catch (error) {
          failures.push(`${scenario.name} on ${each.engine.name}: ${messageOf(error)}`);
          running.delete(each);
        }
      }
    }
  }
  return { measured: measured.map(({ engine, figures }) => ({ name: engine.name, figures })), failures };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
