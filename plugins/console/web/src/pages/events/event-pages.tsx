import { useEffect, useMemo, useState } from 'preact/hooks';
import { isAbort, messageOf } from '../../api/api-error';
import { followJsonLines } from '../../api/follow-stream';
import { Button } from '../../components/button';
import { Dialog, openDialog } from '../../components/dialog';
import { JsonView } from '../../components/json-view';
import { PageHeader } from '../../components/page-header';
import type { Column } from '../../components/table/table-types';
import { VirtualTable } from '../../components/table/virtual-table';
import { Text } from '../../components/text';
import { type EngineEvent, eventStream } from '../../events/event-stream';
import { formatTime } from '../../format/format-time';
import { shortId } from '../../format/short-id';
import { notify } from '../../notices/notices';
import { useStore } from '../../store/store';

const kept = 5_000;
const pastSeconds = 3_600;

interface Row {
  readonly key: string;
  readonly event: EngineEvent;
}

let last = 0;
const rowOf = (event: EngineEvent): Row => ({ key: String(++last), event });
const nameOf = ({ Actor }: EngineEvent): string => Actor.Attributes?.name ?? shortId(Actor.ID);

const columns: readonly Column<Row>[] = [
  {
    title: 'Time',
    width: 1.2,
    sort: ({ event }) => event.timeNano,
    cell: ({ event }) => formatTime(event.timeNano / 1e6),
  },
  { title: 'Type', width: 0.7, secondary: true, sort: ({ event }) => event.Type, cell: ({ event }) => event.Type },
  {
    title: 'Action',
    width: 1.2,
    sort: ({ event }) => event.Action,
    cell: ({ event }) => <Text value={event.Action} />,
  },
  {
    title: 'Object',
    width: 1.6,
    sort: ({ event }) => nameOf(event),
    cell: ({ event }) => <Text value={nameOf(event)} />,
  },
  {
    title: 'Details',
    width: 0.7,
    secondary: true,
    cell: ({ event }) => (
      <Button label={`Details of ${event.Type} ${event.Action}`} onPress={() => showDetails(event)}>
        Details
      </Button>
    ),
  },
];

const showDetails = (event: EngineEvent): void =>
  openDialog((close) => (
    <Dialog wide title={`${event.Type} ${event.Action}`} close={close}>
      <JsonView name="event" value={event} />
    </Dialog>
  ));

/** Events of the last hour, and those that come. */
export function EventPages() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [type, setType] = useState('');
  const [paused, setPaused] = useState(false);
  const reconnections = useStore(eventStream.reconnections);
  // A stream of its own, with the past in it: between a reading of the past and the shared stream events could be lost.
  useEffect(() => {
    if (paused) return;
    const abort = new AbortController();
    const since = Math.floor(Date.now() / 1000) - pastSeconds;
    setRows([]);
    followJsonLines<EngineEvent>('/stream/events', { query: { since }, signal: abort.signal }, (event) =>
      setRows((old) => [...old, rowOf(event)].slice(-kept)),
    ).catch((error: unknown) => {
      if (!isAbort(error)) notify('failed', `Reading events failed: ${messageOf(error)}`);
    });
    return () => abort.abort();
  }, [paused, reconnections]);
  const types = useMemo(() => [...new Set(rows.map(({ event }) => event.Type))].sort(), [rows]);
  const shown = useMemo(() => (type === '' ? rows : rows.filter(({ event }) => event.Type === type)), [rows, type]);
  return (
    <>
      <PageHeader title="Events">
        <Button pressed={paused} onPress={() => setPaused(!paused)}>
          Pause
        </Button>
        <Button onPress={() => setRows([])}>Clear</Button>
      </PageHeader>
      <VirtualTable
        label="events"
        rows={shown}
        id={({ key }) => key}
        columns={columns}
        text={({ event }) =>
          [event.Type, event.Action, event.Actor.ID, ...Object.entries(event.Actor.Attributes ?? {}).flat()].join(' ')
        }
        rowName={({ event }) => `${event.Type} ${event.Action}`}
        empty="Nothing has happened in the last hour."
        sortedBy={-1}
        tools={
          <select aria-label="Type" value={type} onChange={(event) => setType(event.currentTarget.value)}>
            <option value="">All types</option>
            {types.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        }
      />
    </>
  );
}
