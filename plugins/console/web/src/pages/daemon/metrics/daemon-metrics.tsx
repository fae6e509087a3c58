import { useEffect } from 'preact/hooks';
import { type PlotOf, Plots } from '../../../components/plots';
import { Failure, Loading } from '../../../components/status-views';
import { formatBytes } from '../../../format/format-bytes';
import { useStore } from '../../../store/store';
import { EngineFigures } from './engine-figures';
import { Health } from './health';
import { metricsHistory, type Point } from './metrics-history';

const digits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const formatMilliseconds = (value: number): string => `${digits(value)} ms`;
const formatPercent = (value: number): string => `${digits(value)} %`;
const formatRate = (value: number): string => `${digits(value)}/s`;

const plots: readonly PlotOf<keyof Point>[] = [
  {
    title: 'Event loop delay',
    format: formatMilliseconds,
    series: [
      ['median', 'delayMedian'],
      ['99 %', 'delayHigh'],
    ],
  },
  {
    title: 'Memory',
    format: formatBytes,
    isBinary: true,
    series: [
      ['resident', 'resident'],
      ['heap', 'heap'],
    ],
  },
  { title: 'CPU', format: formatPercent, series: [['of one CPU', 'cpu']] },
  {
    title: 'Requests and commits',
    format: formatRate,
    series: [
      ['requests', 'requests'],
      ['commits', 'commits'],
    ],
  },
];

/** The daemon's own figures, which the package metrics measures. */
export function DaemonMetrics() {
  useEffect(() => metricsHistory.start(), []);
  const points = useStore(metricsHistory.points);
  const latest = useStore(metricsHistory.latest);
  const error = useStore(metricsHistory.error);
  if (latest === undefined || points.length === 0) {
    return error === undefined ? <Loading what="the metrics" /> : <Failure what="the metrics" error={error} />;
  }
  return (
    <>
      <p class="hint">Read every five seconds while this page is open; the plots show the last hour of that.</p>
      {error !== undefined && <Failure what="newer metrics" error={error} />}
      <Plots points={points} plots={plots} />
      <div class="panels">
        <Health />
        <EngineFigures exposition={latest} />
      </div>
    </>
  );
}
