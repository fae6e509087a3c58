import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { Panel } from './panel';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface PlotProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Values are bytes: the axis counts in powers of two. */
  readonly isBinary?: boolean;
}

const powersOfTwo = Array.from({ length: 50 }, (_, power) => 2 ** power);
/** Seconds: a plot that has just begun is not stretched over years. */
const shortest = 60;
/** So few are points, not a line. */
const fewPoints = 2;

/** Of the times themselves: for one alone uPlot has extended what it passes to a range. */
function rangeOfTimes({ data: [times] }: uPlot): uPlot.Range.MinMax {
  const end = times.at(-1) ?? 0;
  return [Math.min(times[0] ?? end, end - shortest), end];
}

const height = 190;
const colours = ['--accent', '--warn'];

function optionsFor({ series, format, isBinary = false }: PlotProps, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--sunken'), width: 1 },
    ticks: { stroke: colour('--line') },
  };
  return {
    width,
    height,
    legend: { show: series.length > 1 },
    scales: {
      x: { range: rangeOfTimes },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 100] },
    },
    axes: [
      axis,
      {
        ...axis,
        size: 74,
        values: (_plot, ticks) => ticks.map((tick) => format(tick)),
        ...(isBinary && { incrs: powersOfTwo }),
      },
    ],
    series: [
      {},
      ...series.map(({ name }, at) => ({
        label: name,
        stroke: colour(colours[at] ?? '--text'),
        width: 1.5,
        points: { show: (plot: uPlot) => plot.data[0].length <= fewPoints },
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
}

const dataOf = ({ times, series }: PlotProps): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => [...values]),
];

/** A plot over time, with its newest values as text. */
export function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let stopped = false;
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    void import('uplot').then(({ default: UPlot }) => {
      if (stopped) return;
      plot.current = new UPlot(optionsFor(latest.current, element.clientWidth), dataOf(latest.current), element);
      observer.observe(element);
    });
    return () => {
      stopped = true;
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, []);
  useEffect(() => plot.current?.setData(dataOf(props)));
  const summary = props.series.map(({ name, values }) => `${name} ${props.format(values.at(-1) ?? 0)}`).join(', ');
  return (
    <Panel title={props.title} actions={<span class="muted">{summary}</span>}>
      <div class="plot" aria-hidden="true" ref={box} />
    </Panel>
  );
}
