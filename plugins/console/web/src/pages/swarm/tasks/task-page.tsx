import { call } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { JsonView } from '../../../components/json-view';
import { LogView } from '../../../components/log/log-view';
import { PageHeader } from '../../../components/page-header';
import { Empty, Loaded } from '../../../components/status-views';
import { Tabs } from '../../../components/tabs';
import { pathTo } from '../../../routing/route';
import type { Task } from '../swarm-types';
import { useTasks } from './use-tasks';

const tabs: readonly (readonly [path: string, name: string])[] = [
  ['logs', 'Logs'],
  ['inspect', 'Inspect'],
];

/** One task, whichever node runs it. */
export function TaskPage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const read = (signal: AbortSignal) => call<Task>(`/tasks/${encodeURIComponent(id)}`, { signal });
  const [task, reload] = useTasks(read, [id], ['service']);
  const value = task.state === 'ready' ? task.value : undefined;
  const container = value?.Status.ContainerStatus?.ContainerID ?? '';
  return (
    <>
      <PageHeader
        title={`Task ${id.slice(0, 12)}`}
        back={{ href: pathTo('swarm', 'tasks'), name: 'Tasks' }}
        detail={value && <StateBadge state={value.Status.State} />}
      >
        {value && (
          <a class="button plain" href={pathTo('swarm', 'services', value.ServiceID)}>
            Service
          </a>
        )}
        {/* Only containers of this node are known to this engine. */}
        {container !== '' && (
          <a class="button plain" href={pathTo('containers', container)}>
            Container
          </a>
        )}
      </PageHeader>
      <Tabs
        label="Parts of the task"
        current={tabs.find(([path]) => path === tab)?.[1] ?? ''}
        tabs={tabs.map(([path, name]) => ({ name, href: pathTo('swarm', 'tasks', id, path) }))}
      />
      <Loaded what="the task" resource={task} reload={reload}>
        {(loaded) => <Part tab={tab} task={loaded} />}
      </Loaded>
    </>
  );
}

function Part({ tab, task }: { readonly tab: string; readonly task: Task }) {
  if (tab === 'inspect') return <JsonView name="task" value={task} />;
  if (tab !== 'logs') return <Empty>There is no part "{tab}".</Empty>;
  const isTerminal = task.Spec.ContainerSpec?.TTY ?? false;
  return <LogView path={`/tasks/${task.ID}/logs`} isTerminal={isTerminal} name={task.ID.slice(0, 12)} round={0} />;
}
