import type { ComponentType } from 'preact';
import type { ContainerDetails } from '../../api/container-types';
import { get } from '../../api/request';
import { StateBadge } from '../../components/badge';
import { PageHeader } from '../../components/page-header';
import { Empty, Loaded } from '../../components/status-views';
import { Tabs } from '../../components/tabs';
import { useResource } from '../../events/use-resource';
import { pathTo } from '../../routing/route';
import { ContainerButtons } from './container-buttons';
import { ContainerChanges } from './container-changes';
import { ContainerInspect } from './container-inspect';
import { ContainerLogs } from './container-logs';
import { ContainerOverview } from './container-overview';
import { ContainerProcesses } from './container-processes';
import { ContainerFiles } from './files/container-files';
import { ContainerStats } from './stats/container-stats';
import { ContainerTerminal } from './terminal/container-terminal';

const tabs: readonly (readonly [path: string, name: string, view: ComponentType<{ container: ContainerDetails }>])[] = [
  ['overview', 'Overview', ContainerOverview],
  ['logs', 'Logs', ContainerLogs],
  ['terminal', 'Terminal', ContainerTerminal],
  ['files', 'Files', ContainerFiles],
  ['stats', 'Stats', ContainerStats],
  ['processes', 'Processes', ContainerProcesses],
  ['changes', 'Changes', ContainerChanges],
  ['inspect', 'Inspect', ContainerInspect],
];

export function ContainerPage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const read = (signal: AbortSignal) =>
    get<ContainerDetails>(`/containers/${encodeURIComponent(id)}/json`, undefined, signal);
  const [container, reload] = useResource(read, [id], ['container', 'network']);
  const current = tabs.find(([path]) => path === tab);
  const View = current?.[2];
  const back = { href: pathTo('containers'), name: 'Containers' };
  if (container.state !== 'ready') {
    return (
      <>
        <PageHeader title={`Container ${id.slice(0, 12)}`} back={back} />
        <Loaded what="the container" resource={container} reload={reload}>
          {() => null}
        </Loaded>
      </>
    );
  }
  const { value } = container;
  return (
    <>
      <PageHeader title={value.Name.replace(/^\//, '')} back={back} detail={<StateBadge state={value.State.Status} />}>
        <ContainerButtons container={value} />
      </PageHeader>
      <Tabs
        label="Parts of the container"
        current={current?.[1] ?? ''}
        tabs={tabs.map(([path, name]) => ({ name, href: pathTo('containers', id, path) }))}
      />
      <Loaded what="the container" resource={container} reload={reload}>
        {() => (View === undefined ? <Empty>There is no part "{tab}".</Empty> : <View container={value} />)}
      </Loaded>
    </>
  );
}
