import { call, filters } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { Loaded } from '../../../components/status-views';
import type { Column } from '../../../components/table/table-types';
import { VirtualTable } from '../../../components/table/virtual-table';
import { Text } from '../../../components/text';
import { formatAge } from '../../../format/format-time';
import { pathTo } from '../../../routing/route';
import type { Service, SwarmNode, Task } from '../swarm-types';
import { useTasks } from './use-tasks';

interface Row {
  readonly task: Task;
  readonly name: string;
  readonly node: string;
}

async function readTasks(service: string | undefined, signal: AbortSignal): Promise<readonly Row[]> {
  const query = service === undefined ? undefined : { filters: filters({ service: [service] }) };
  const [tasks, services, nodes] = await Promise.all([
    call<Task[]>('/tasks', { query, signal }),
    call<Service[]>('/services', { signal }),
    call<SwarmNode[]>('/nodes', { signal }),
  ]);
  const serviceNames = new Map(services.map(({ ID, Spec }) => [ID, Spec.Name]));
  const nodeNames = new Map(nodes.map(({ ID, Description }) => [ID, Description.Hostname]));
  return tasks.map((task) => {
    const node = nodeNames.get(task.NodeID ?? '') ?? '';
    return { task, node, name: `${serviceNames.get(task.ServiceID) ?? task.ServiceID}.${task.Slot ?? node}` };
  });
}

const problemOf = ({ task: { Status } }: Row): string => Status.Err ?? '';

const columns: readonly Column<Row>[] = [
  { title: 'Name', width: 1.3, sort: ({ name }) => name, cell: (row) => <TaskName row={row} /> },
  {
    title: 'State',
    width: 0.8,
    sort: ({ task }) => task.Status.State,
    cell: ({ task }) => <StateBadge state={task.Status.State} />,
  },
  { title: 'Wanted', width: 0.8, sort: ({ task }) => task.DesiredState, cell: ({ task }) => task.DesiredState },
  { title: 'Node', sort: ({ node }) => node, cell: ({ node }) => <Text value={node} /> },
  {
    title: 'Image',
    width: 1.3,
    cell: ({ task }) => <Text value={task.Spec.ContainerSpec?.Image.split('@')[0] ?? ''} />,
  },
  { title: 'Error', width: 1.6, sort: problemOf, cell: (row) => <Text value={problemOf(row)} /> },
  {
    title: 'Changed',
    sort: ({ task }) => -Date.parse(task.Status.Timestamp),
    cell: ({ task }) => formatAge(Date.parse(task.Status.Timestamp)),
  },
];

function TaskName({ row: { name, task } }: { readonly row: Row }) {
  return (
    <a href={pathTo('swarm', 'tasks', task.ID)}>
      <Text value={name} />
    </a>
  );
}

/** Tasks of one service, or of all. */
export function TaskList({ service }: { readonly service?: string | undefined }) {
  const [tasks, reload] = useTasks((signal) => readTasks(service, signal), [service], ['service', 'node']);
  return (
    <Loaded what="the tasks" resource={tasks} reload={reload}>
      {(rows) => (
        <VirtualTable
          label="tasks"
          rows={rows}
          id={({ task }) => task.ID}
          columns={columns}
          text={({ name, node, task }) => [name, node, task.ID, task.Status.State, task.Status.Err ?? ''].join(' ')}
          rowName={({ name }) => name}
          sortedBy={6}
        />
      )}
    </Loaded>
  );
}
