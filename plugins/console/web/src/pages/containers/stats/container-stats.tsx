import { useEffect, useMemo } from 'preact/hooks';
import { messageOf } from '../../../api/api-error';
import type { ContainerDetails } from '../../../api/container-types';
import { type PlotOf, Plots } from '../../../components/plots';
import { Empty, Loading } from '../../../components/status-views';
import { formatBytes } from '../../../format/format-bytes';
import { useStore } from '../../../store/store';
import { collectStats, type Point } from './stats-history';

const formatRate = (value: number): string => `${formatBytes(value)}/s`;
const formatPercent = (value: number): string => `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} %`;

const plots: readonly PlotOf<keyof Point>[] = [
  { title: 'CPU', format: formatPercent, series: [['of one CPU', 'cpu']] },
  { title: 'Memory', format: formatBytes, isBinary: true, series: [['used', 'memory']] },
  {
    title: 'Network',
    format: formatRate,
    isBinary: true,
    series: [
      ['received', 'received'],
      ['sent', 'sent'],
    ],
  },
  {
    title: 'Block devices',
    format: formatRate,
    isBinary: true,
    series: [
      ['read', 'readBytes'],
      ['written', 'written'],
    ],
  },
];

export function ContainerStats({ container }: { readonly container: ContainerDetails }) {
  const { Id, State } = container;
  const history = useMemo(() => collectStats(Id), [Id]);
  useEffect(() => {
    // A stream ends with its container, which may have been started again.
    if (State.Running) collectStats(Id);
  }, [Id, State.Running, State.StartedAt]);
  const points = useStore(history.points);
  const error = useStore(history.error);
  if (error !== undefined) return <Empty>Loading the statistics failed: {messageOf(error)}</Empty>;
  if (points.length === 0) {
    return State.Running ? <Loading what="the first statistics" /> : <Empty>The container does not run.</Empty>;
  }
  return (
    <>
      <p class="hint">
        The last hour, as far as the console was open. {!State.Running && 'The container does not run.'}
      </p>
      <Plots points={points} plots={plots} />
    </>
  );
}
