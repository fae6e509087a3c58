import { useMemo, useState } from 'preact/hooks';
import { call } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { Button } from '../../../components/button';
import { openDialog } from '../../../components/dialog';
import { Loaded } from '../../../components/status-views';
import type { Column } from '../../../components/table/table-types';
import { VirtualTable } from '../../../components/table/virtual-table';
import { Text } from '../../../components/text';
import { pathTo } from '../../../routing/route';
import type { Service } from '../swarm-types';
import { useTasks } from '../tasks/use-tasks';
import { CreateService } from './create-service';
import { serviceBulkActions, serviceName } from './service-actions';
import { imageOf, modeOf, portsOf, replicasOf, stackOf } from './service-facts';

const columns: readonly Column<Service>[] = [
  {
    title: 'Name',
    width: 1.5,
    sort: serviceName,
    cell: (service) => (
      <a href={pathTo('swarm', 'services', service.ID)}>
        <Text value={serviceName(service)} />
      </a>
    ),
  },
  { title: 'Stack', width: 0.9, sort: stackOf, cell: (service) => <Text value={stackOf(service)} /> },
  { title: 'Mode', width: 0.9, sort: modeOf, cell: modeOf },
  { title: 'Running', width: 0.8, sort: replicasOf, cell: replicasOf },
  { title: 'Image', width: 1.4, sort: imageOf, cell: (service) => <Text value={imageOf(service)} /> },
  { title: 'Ports', sort: portsOf, cell: (service) => <Text value={portsOf(service)} /> },
  {
    title: 'Update',
    width: 0.9,
    sort: ({ UpdateStatus }) => UpdateStatus?.State ?? '',
    cell: ({ UpdateStatus }) => (UpdateStatus === undefined ? '' : <StateBadge state={UpdateStatus.State} />),
  },
];

export function ServiceList() {
  const read = (signal: AbortSignal) => call<Service[]>('/services', { query: { status: true }, signal });
  const [services, reload] = useTasks(read, [], ['service']);
  return (
    <Loaded what="the services" resource={services} reload={reload}>
      {(rows) => <ServiceTable rows={rows} />}
    </Loaded>
  );
}

function ServiceTable({ rows }: { readonly rows: readonly Service[] }) {
  const [stack, setStack] = useState('');
  const stacks = useMemo(() => [...new Set(rows.map(stackOf))].filter((name) => name !== '').sort(), [rows]);
  const shown = useMemo(() => (stack === '' ? rows : rows.filter((row) => stackOf(row) === stack)), [rows, stack]);
  return (
    <VirtualTable
      label="services"
      rows={shown}
      id={({ ID }) => ID}
      columns={columns}
      text={(service) => [serviceName(service), service.ID, imageOf(service), stackOf(service)].join(' ')}
      rowName={serviceName}
      bulk={serviceBulkActions}
      tools={
        <>
          <select aria-label="Stack" value={stack} onChange={(event) => setStack(event.currentTarget.value)}>
            <option value="">All stacks</option>
            {stacks.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <Button kind="primary" onPress={() => openDialog((close) => <CreateService close={close} />)}>
            Create…
          </Button>
        </>
      }
    />
  );
}
