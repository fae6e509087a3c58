import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { nameOf } from '../../api/container-types';
import { get } from '../../api/request';
import { Button } from '../../components/button';
import { PageHeader } from '../../components/page-header';
import { Loaded } from '../../components/status-views';
import { VirtualTable } from '../../components/table/virtual-table';
import { useResource } from '../../events/use-resource';
import { firstScreenData, type ListedContainer } from '../../first-screen/first-screen-data';
import { pathTo } from '../../routing/route';
import { containerBulkActions } from './container-bulk-actions';
import { containerColumns } from './container-columns';
import { pruneContainers } from './prune-containers';

const states = ['running', 'exited', 'created', 'paused', 'restarting', 'removing', 'dead'];
const idOf = (container: ListedContainer): string => container.Id;

const textOf = (container: ListedContainer): string =>
  [
    nameOf(container),
    container.Image,
    container.Id,
    container.Status,
    ...Object.entries(container.Labels ?? {}).flat(),
  ].join(' ');

export function ContainerList() {
  const [initial] = useState(() => firstScreenData.get()?.containers);
  useLayoutEffect(() => firstScreenData.set(undefined), []);
  const read = (signal: AbortSignal) => get<readonly ListedContainer[]>('/containers/json', { all: true }, signal);
  const [containers, reload] = useResource(read, [], ['container'], initial);
  return (
    <>
      <PageHeader title="Containers">
        <Button onPress={pruneContainers}>Prune…</Button>
        <a class="button primary" href={pathTo('containers', 'create')}>
          Create…
        </a>
      </PageHeader>
      <Loaded what="the containers" resource={containers} reload={reload}>
        {(rows) => <ContainerTable rows={rows} />}
      </Loaded>
    </>
  );
}

function ContainerTable({ rows }: { readonly rows: readonly ListedContainer[] }) {
  const [state, setState] = useState('');
  const shown = useMemo(() => (state === '' ? rows : rows.filter(({ State }) => State === state)), [rows, state]);
  return (
    <VirtualTable
      label="containers"
      rows={shown}
      id={idOf}
      columns={containerColumns}
      text={textOf}
      rowName={nameOf}
      bulk={containerBulkActions}
      empty={state === '' ? 'There are no containers.' : `No container is ${state}.`}
      tools={
        <select aria-label="State" value={state} onChange={(event) => setState(event.currentTarget.value)}>
          <option value="">All states ({rows.length})</option>
          {states.map((name) => (
            <option key={name} value={name}>
              {name} ({rows.filter(({ State }) => State === name).length})
            </option>
          ))}
        </select>
      }
    />
  );
}
