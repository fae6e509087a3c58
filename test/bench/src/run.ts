import { Containers } from './containers.js';
import type { Engine } from './engine.js';
import type { Growth, GrowthPoint } from './growth/growth.js';
import { join } from './measurements.js';
import type { Scenario, Subject } from './scenario.js';
import type { Measured } from './tables.js';

const subjectOf = (engine: Engine, image: string): Subject => ({
  engine,
  image,
  containers: new Containers(engine, image),
});

export interface Outcome {
  readonly measured: readonly Measured[];
  /** What went wrong, by scenario and engine. */
  readonly failures: readonly string[];
}

/** Runs the scenarios, each round on every engine in turn. One that fails on an engine is not tried on it again. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  engines: readonly Engine[],
  image: string,
): Promise<Outcome> {
  const measured = engines.map((engine) => ({ engine, figures: new Map<string, number[]>() }));
  const failures: string[] = [];
  for (const scenario of scenarios) {
    const running = new Set(measured);
    for (let round = 0; round < scenario.rounds; round += 1) {
      for (const each of running) {
        try {
          join(each.figures, await scenario.run(subjectOf(each.engine, image)));
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

export interface Grown {
  readonly engine: string;
  readonly name: string;
  readonly points: readonly GrowthPoint[];
}

/** Lets things grow tenfold at a time, from 10 to `most`. */
export async function runGrowths(
  growths: readonly Growth[],
  engines: readonly Engine[],
  options: { readonly image: string; readonly most: number },
): Promise<readonly Grown[]> {
  const grown: Grown[] = [];
  for (const growth of growths) {
    const sizes = [10, 100, 1000, 10_000].filter((size) => size <= Math.min(options.most, growth.most));
    if (sizes.length === 0) continue;
    for (const engine of engines) {
      const points: GrowthPoint[] = [];
      for await (const point of growth.measure(subjectOf(engine, options.image), sizes)) points.push(point);
      grown.push({ engine: engine.name, name: growth.name, points });
    }
  }
  return grown;
}
