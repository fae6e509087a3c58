import { useEffect, useMemo } from 'preact/hooks';
import { messageOf } from '../../../api/api-error';
import type { ContainerDetails } from '../../../api/container-types';
import { Plot } from '../../../components/plot';
import { Empty, Loading } from '../../../components/status-views';
import { formatBytes } from '../../../format/format-bytes';
import { useStore } from '../../../store/store';
import { collectStats, type Point } from './stats-history';

const formatRate = (value: number): string => `${formatBytes(value)}/s`;
const formatPercent = (value: number): string => `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} %`;

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
  const values = (key: keyof Point): number[] => points.map((point) => point[key]);
  const times = values('time');
  return (
    <>
      <p class="hint">
        The last hour, as far as the console was open. {!State.Running && 'The container does not run.'}
      </p>
      <div class="plots">
        <Plot
          title="CPU"
          times={times}
          format={formatPercent}
          series={[{ name: 'of one CPU', values: values('cpu') }]}
        />
        <Plot
          title="Memory"
          times={times}
          format={formatBytes}
          isBinary
          series={[{ name: 'used', values: values('memory') }]}
        />
        <Plot
          title="Network"
          times={times}
          format={formatRate}
          isBinary
          series={[
            { name: 'received', values: values('received') },
            { name: 'sent', values: values('sent') },
          ]}
        />
        <Plot
          title="Block devices"
          times={times}
          format={formatRate}
          isBinary
          series={[
            { name: 'read', values: values('readBytes') },
            { name: 'written', values: values('written') },
          ]}
        />
      </div>
    </>
  );
}
