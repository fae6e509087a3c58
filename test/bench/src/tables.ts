import type { GrowthPoint } from './growth/growth.js';
import { isRate, percentile } from './measurements.js';

/** The values of one engine, by figure. */
export interface EngineFigures {
  readonly name: string;
  readonly figures: ReadonlyMap<string, readonly number[]>;
}

const format = (value: number): string => {
  if (Number.isNaN(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
};

/** A Markdown table. */
function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const all = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Medians side by side, with the ratio of the last engine to the first. */
export function comparison(engines: readonly EngineFigures[]): string {
  const [first, last] = [engines[0], engines.at(-1)];
  const figures = new Set(engines.flatMap((engine) => [...engine.figures.keys()]));
  const rows = [...figures].flatMap((figure) =>
    [0.5, 0.99].flatMap((share) => {
      const values = engines.map((engine) => percentile(engine.figures.get(figure) ?? [], share));
      const isFew = engines.every((engine) => (engine.figures.get(figure) ?? []).length < 20);
      if (share > 0.5 && isFew) return [];
      const [firstValue = Number.NaN, lastValue = Number.NaN] = [values[0], values.at(-1)];
      const ratio = isRate(figure) ? firstValue / lastValue : lastValue / firstValue;
      const label = share === 0.5 ? figure : `${figure}, p99`;
      return [[label, ...values.map(format), ...(first === last ? [] : [format(ratio)])]];
    }),
  );
  return markdown([['', ...engines.map(({ name }) => name), ...(first === last ? [] : ['times better'])], ...rows]);
}

/** The costs of one engine by size. */
export function growthTable(name: string, points: readonly GrowthPoint[]): string {
  const sizes = [...new Set(points.map(({ size }) => size))];
  const figures = [...new Set(points.map(({ figure }) => figure))];
  const value = (figure: string, size: number): number =>
    points.find((point) => point.figure === figure && point.size === size)?.value ?? Number.NaN;
  return markdown([
    [name, ...sizes.map(String)],
    ...figures.map((figure) => [figure, ...sizes.map((size) => format(value(figure, size)))]),
  ]);
}
