import type { Engine } from './engine.js';
import { EngineMemory } from './engine-memory.js';
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
      const points = await measureGrowth(growth, engine, options.image, sizes);
      grown.push({ engine: engine.name, name: growth.name, points });
    }
  }
  return grown;
}

async function measureGrowth(
  growth: Growth,
  engine: Engine,
  image: string,
  sizes: readonly number[],
): Promise<readonly GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  const memory = engine.pid === undefined ? undefined : await EngineMemory.from(engine.pid);
  const grown = growth.begin(subjectOf(engine, image));
  try {
    for (const size of sizes) {
      await grown.grow(size);
      for (const [figure, value] of Object.entries(await grown.costs())) points.push({ figure, size, value });
      if (memory !== undefined) points.push({ figure: 'memory MiB', size, value: await memory.now() });
    }
  } finally {
    await grown.remove();
  }
  return points;
}
