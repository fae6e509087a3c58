import type { Engine } from './engine.js';
import type { Growth, GrowthPoint } from './growth/growth.js';
import { subjectOf } from './subject-of.js';

interface GrowthResult {
  readonly engine: string;
  readonly name: string;
  readonly points: readonly GrowthPoint[];
}

/** Measures each growth on each engine, at sizes from 10 to `most`, each ten times the one before. */
export async function runGrowths(
  growths: readonly Growth[],
  engines: readonly Engine[],
  options: { readonly image: string; readonly most: number },
): Promise<readonly GrowthResult[]> {
  const grown: GrowthResult[] = [];
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
