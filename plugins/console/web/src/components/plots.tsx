import { Plot } from './plot';

/** What a plot shows of points: each series is a name and the figure of the points that it draws. */
export interface PlotOf<K extends string> {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly isBinary?: boolean;
  readonly series: readonly (readonly [name: string, key: K])[];
}

interface PlotsProps<K extends string> {
  /** Figures by name, with the seconds since 1970 at which they were measured as `time`. */
  readonly points: readonly Readonly<Record<K | 'time', number>>[];
  readonly plots: readonly PlotOf<K>[];
}

/** Plots of the same points, side by side. */
export function Plots<K extends string>({ points, plots }: PlotsProps<K>) {
  const times = points.map(({ time }) => time);
  return (
    <div class="plots">
      {plots.map(({ title, format, isBinary = false, series }) => (
        <Plot
          key={title}
          title={title}
          times={times}
          format={format}
          isBinary={isBinary}
          series={series.map(([name, key]) => ({ name, values: points.map((point) => point[key]) }))}
        />
      ))}
    </div>
  );
}
