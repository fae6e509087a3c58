import { type Figures, round } from '../measure/figures.js';
import type { Year } from './run-year.js';

/** By so much, in percent, memory may change over the last half of the year. */
const flatPercent = 5;
/** So many times as large as in the first half a store may become in the second: its size depends on when it is compacted. */
const storeGrowth = 1.25;

/** What a year has shown, and what of it is not as it has to be. */
interface YearReport {
  readonly figures: Figures;
  readonly faults: readonly string[];
}

export function describeYear({ certificates, counts, days, faults, keys, lateSeconds, samples }: Year): YearReport {
  const half = days / 2;
  const figures: Figures = {
    'days passed': days,
    'seconds late': round(lateSeconds),
    'certificates of workers': certificates,
    'keys of networks': keys,
  };
  const found = [...faults];
  for (const [name, count] of Object.entries(counts)) figures[`events: ${name}`] = count;
  for (const name of samples.names.filter((each) => / resident$| heap$| keys$/.test(each))) {
    const trend = samples.trend(name, half);
    if (trend === undefined) continue;
    const { as, changePercent, isOneProcess, least, mean, most, samples: count } = trend;
    const scope = isOneProcess ? '' : ', several processes';
    figures[name] =
      `${round(changePercent, 1)} % over the last half (mean ${round(mean, 1)}, ${round(least, 1)} to ${round(most, 1)}, ${count} samples as ${as}${scope})`;
    // The memory of etcd is not the product's; what it is made to keep is in its file, and in its keys.
    const isJudged = /^(manager|nodes)/.test(name) && isOneProcess;
    if (isJudged && changePercent > flatPercent) found.push(`${name} grew by ${round(changePercent, 1)} %`);
  }
  for (const what of ['file', 'in use', 'directory']) {
    const names = samples.names.filter((each) => each.startsWith('store ') && each.endsWith(` ${what}`));
    const mostOf = (from: number, to: number) => names.map((name) => samples.most(name, from, to));
    const [first, second] = [mostOf(0, half), mostOf(half, days)];
    for (const [index, name] of names.entries()) {
      const [before, after] = [round(first[index] ?? 0, 1), round(second[index] ?? 0, 1)];
      figures[`${name}, MiB at most`] = `${before} in the first half, ${after} in the second`;
    }
    // Of all members together: one that has just joined has few files, and each had joined at some time in the first half.
    const [before, after] = [Math.max(...first), Math.max(...second)];
    if (after > before * storeGrowth)
      found.push(`${what} of a store grew from ${round(before, 1)} to ${round(after, 1)} MiB`);
  }
  return { figures, faults: found };
}
