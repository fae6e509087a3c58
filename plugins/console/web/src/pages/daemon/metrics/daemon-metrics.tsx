import { useEffect } from 'preact/hooks';
import { Plot } from '../../../components/plot';
import { Failure, Loading } from '../../../components/status-views';
import { formatBytes } from '../../../format/format-bytes';
import { useStore } from '../../../store/store';
import { EngineFigures } from './engine-figures';
import { Health } from './health';
import { metricsHistory } from './metrics-history';

const digits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const formatMilliseconds = (value: number): string => `${digits(value)} ms`;
const formatPercent = (value: number): string => `${digits(value)} %`;
const formatRate = (value: number): string => `${digits(value)}/s`;

/** The daemon's own figures, which the package metrics measures. */
export function DaemonMetrics() {
  useEffect(() => metricsHistory.start(), []);
  const points = useStore(metricsHistory.points);
  const latest = useStore(metricsHistory.latest);
  const error = useStore(metricsHistory.error);
  if (latest === undefined || points.length === 0) {
    return error === undefined ? <Loading what="the metrics" /> : <Failure what="the metrics" error={error} />;
  }
  const times = points.map(({ time }) => time);
  const valuesOf = (key: keyof (typeof points)[number]): number[] => points.map((point) => point[key]);
  return (
    <>
      <p class="hint">Read every five seconds while this page is open; the plots show the last hour of that.</p>
      {error !== undefined && <Failure what="newer metrics" error={error} />}
      <div class="plots">
        <Plot
          title="Event loop delay"
          times={times}
          format={formatMilliseconds}
          series={[
            { name: 'median', values: valuesOf('delayMedian') },
            { name: '99 %', values: valuesOf('delayHigh') },
          ]}
        />
        <Plot
          title="Memory"
          times={times}
          format={formatBytes}
          isBinary
          series={[
            { name: 'resident', values: valuesOf('resident') },
            { name: 'heap', values: valuesOf('heap') },
          ]}
        />
        <Plot
          title="CPU"
          times={times}
          format={formatPercent}
          series={[{ name: 'of one CPU', values: valuesOf('cpu') }]}
        />
        <Plot
          title="Requests and commits"
          times={times}
          format={formatRate}
          series={[
            { name: 'requests', values: valuesOf('requests') },
            { name: 'commits', values: valuesOf('commits') },
          ]}
        />
      </div>
      <div class="panels">
        <Health />
        <EngineFigures exposition={latest} />
      </div>
    </>
  );
}
