import { type GrownResource, type GrowthPoint, growths, subjectOf } from '@gantry/bench';
import type { Scope } from '@gantry/test-nodes';
import type { MeasuredEngine } from '../engines/measured-engine.js';
import { type Kind, kinds } from '../options.js';
import { checkSpace, diskUse } from './disk.js';
import { measureRestart } from './measure-restart.js';
import { measureStatistics } from './measure-statistics.js';
import { type MemoryUse, memoryOfMonitors, settledMemory } from './process-usage.js';
import { within } from './within.js';

/** Of one kind. */
export interface KindFigures {
  readonly kind: string;
  readonly points: readonly GrowthPoint[];
  /** Why there could be no more. */
  readonly limit: string | undefined;
}

interface MeasureOptions {
  readonly counts: Readonly<Record<Kind, number>>;
  readonly image: string;
}

const mostSeconds = { grow: 1800, costs: 300, remove: 900 };
/** Objects that are created between two looks at the clock. */
const slice = 200;

/**
 * Measures one kind after the other at a hundredth, a tenth and the whole of its number. All of them stay until the end, and
 * are removed with the scope, also after an error.
 */
export async function* measureEngine(
  scope: Scope,
  measured: MeasuredEngine,
  { counts, image }: MeasureOptions,
): AsyncGenerator<KindFigures> {
  const all: { readonly name: string; readonly grown: GrownResource }[] = [];
  const isThere = async (): Promise<boolean> => {
    for (const { grown } of all) if ((await grown.count?.()) !== grown.size) return false;
    return true;
  };
  for (const growth of growths) {
    const kind = (Object.keys(kinds) as Kind[]).find((each) => kinds[each] === growth.name);
    if (kind === undefined || counts[kind] === 0) continue;
    const grown = growth.begin(subjectOf(measured.engine, image));
    scope.teardown(async () => void (await remove(grown, growth.name)));
    all.push({ name: growth.name, grown });
    yield await measureKind(measured, growth.name, grown, sizesOf(counts[kind]), isThere);
  }
  for (const { grown, name } of all.reverse()) {
    const { size } = grown;
    const milliseconds = await remove(grown, name);
    const points = [{ figure: 'removal ms each', size, value: milliseconds / size }];
    yield { kind: name, points, limit: undefined };
  }
}

/** Nothing is being created any more when this rejects, so that what was created can be measured. */
async function grow(grown: GrownResource, name: string, size: number): Promise<void> {
  const deadline = performance.now() + mostSeconds.grow * 1000;
  while (grown.size < size) {
    if (performance.now() > deadline) throw new Error(`not within ${mostSeconds.grow} s: grow ${name}`);
    await grown.grow(Math.min(size, grown.size + slice));
  }
}

async function remove(grown: GrownResource, name: string): Promise<number> {
  const began = performance.now();
  await within(`remove ${name}`, mostSeconds.remove, () => grown.remove());
  return performance.now() - began;
}

const sizesOf = (count: number): readonly number[] => [
  ...new Set([100, 10, 1].map((part) => Math.max(1, Math.round(count / part)))),
];

async function measureKind(
  measured: MeasuredEngine,
  name: string,
  grown: GrownResource,
  sizes: readonly number[],
  isThere: () => Promise<boolean>,
): Promise<KindFigures> {
  const points: GrowthPoint[] = [];
  const before = await usageOf(measured);
  let limit: string | undefined;
  for (const size of sizes) {
    const missing = size - grown.size;
    const began = performance.now();
    try {
      await checkSpace(measured.directory);
      await grow(grown, name, size);
    } catch (error) {
      limit = `${grown.size} of ${size}: ${error instanceof Error ? error.message : String(error)}`;
      if (grown.size === 0) break;
    }
    const creation = (performance.now() - began) / missing;
    const figures = {
      ...(limit === undefined && { 'creation ms each': creation }),
      ...(await within(`requests to ${name}`, mostSeconds.costs, () => grown.costs())),
      ...(name === kinds.running && (await measureStatistics(measured))),
      ...perObject(before, await usageOf(measured), grown.size),
      ...(await measureRestart(measured, isThere)),
    };
    for (const [figure, value] of Object.entries(figures)) points.push({ figure, size: grown.size, value });
    console.error(`${measured.name}: ${grown.size} ${name}: ${JSON.stringify(figures)}`);
    if (limit !== undefined) break;
  }
  return { kind: name, points, limit };
}

interface Usage {
  readonly daemon: MemoryUse;
  readonly monitors: MemoryUse;
  /** KiB. */
  readonly disk: number | undefined;
}

const usageOf = async (measured: MeasuredEngine): Promise<Usage> => ({
  daemon: await settledMemory(measured),
  monitors: await memoryOfMonitors(measured),
  disk: measured.data === undefined ? undefined : await diskUse(measured.data),
});

const perObject = (before: Usage, now: Usage, size: number): Record<string, number> => ({
  'memory of the daemon MiB': now.daemon.anonymous,
  '– with mapped files MiB': now.daemon.resident,
  '– of it for each KiB': ((now.daemon.anonymous - before.daemon.anonymous) / size) * 1024,
  'memory of monitors for each KiB': ((now.monitors.resident - before.monitors.resident) / size) * 1024,
  ...(now.disk !== undefined && before.disk !== undefined && { 'disk for each KiB': (now.disk - before.disk) / size }),
});
