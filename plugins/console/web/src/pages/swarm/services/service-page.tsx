import { StateBadge } from '../../../components/badge';
import { JsonView } from '../../../components/json-view';
import { KeyValues, textEntries } from '../../../components/key-values';
import { LogView } from '../../../components/log/log-view';
import { PageHeader } from '../../../components/page-header';
import { Panel } from '../../../components/panel';
import { Empty, Loaded } from '../../../components/status-views';
import { Tabs } from '../../../components/tabs';
import { useResource } from '../../../events/use-resource';
import { formatTime } from '../../../format/format-time';
import { pathTo } from '../../../routing/route';
import type { Service } from '../swarm-types';
import { TaskList } from '../tasks/task-list';
import { readService, serviceName } from './service-actions';
import { ServiceButtons } from './service-buttons';
import { imageOf, modeOf, portsOf, stackOf } from './service-facts';

const tabs: readonly (readonly [path: string, name: string])[] = [
  ['overview', 'Overview'],
  ['logs', 'Logs'],
  ['inspect', 'Inspect'],
];

export function ServicePage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const [service, reload] = useResource((signal) => readService(id, signal), [id], ['service']);
  const value = service.state === 'ready' ? service.value : undefined;
  return (
    <>
      <PageHeader
        title={value === undefined ? `Service ${id.slice(0, 12)}` : serviceName(value)}
        back={{ href: pathTo('swarm', 'services'), name: 'Services' }}
        detail={value?.UpdateStatus && <StateBadge state={value.UpdateStatus.State} />}
      >
        {value && <ServiceButtons service={value} reload={reload} />}
      </PageHeader>
      <Tabs
        label="Parts of the service"
        current={tabs.find(([path]) => path === tab)?.[1] ?? ''}
        tabs={tabs.map(([path, name]) => ({ name, href: pathTo('swarm', 'services', id, path) }))}
      />
      <Loaded what="the service" resource={service} reload={reload}>
        {(loaded) => <Part tab={tab} service={loaded} />}
      </Loaded>
    </>
  );
}

function Part({ tab, service }: { readonly tab: string; readonly service: Service }) {
  const { Spec, ID } = service;
  switch (tab) {
    case 'overview':
      return (
        <>
          <div class="panels">
            <Panel title="Service">
              <KeyValues
                entries={[
                  ['Image', imageOf(service)],
                  ['Mode', modeOf(service)],
                  ['Replicas', Spec.Mode.Replicated && String(Spec.Mode.Replicated.Replicas)],
                  ['Ports', portsOf(service)],
                  ['Stack', stackOf(service)],
                  ['Created', formatTime(service.CreatedAt)],
                  ['Changed', formatTime(service.UpdatedAt)],
                  ['Update', service.UpdateStatus?.Message ?? ''],
                ]}
              />
            </Panel>
            <Panel title="Labels">
              <KeyValues entries={textEntries(Spec.Labels)} />
            </Panel>
          </div>
          <TaskList service={ID} />
        </>
      );
    case 'logs':
      return (
        <LogView
          path={`/services/${ID}/logs`}
          isTerminal={Spec.TaskTemplate.ContainerSpec?.TTY ?? false}
          name={Spec.Name.slice(0, 80)}
          round={0}
        />
      );
    case 'inspect':
      return <JsonView name="service" value={service} />;
    default:
      return <Empty>There is no part "{tab}".</Empty>;
  }
}
