import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/request';
import { Button } from '../../components/button';
import { PageHeader } from '../../components/page-header';
import { Empty, Loaded } from '../../components/status-views';
import { Tabs } from '../../components/tabs';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { pathTo, useRoute } from '../../routing/route';
import { followChanges } from './follow-changes';
import { Configs, Secrets } from './items/item-list';
import { openInit, openJoin } from './membership/join-dialogs';
import { leaveSwarm } from './membership/leave-swarm';
import { Membership } from './membership/membership';
import { NodeList } from './nodes/node-list';
import { ServiceList } from './services/service-list';
import { ServicePage } from './services/service-page';
import type { SwarmInfo } from './swarm-types';
import { TaskList } from './tasks/task-list';
import { TaskPage } from './tasks/task-page';

interface PartProps {
  /** To be called when this engine has left the swarm. */
  readonly left: () => void;
}

const AllTasks = () => <TaskList />;

const parts: readonly (readonly [path: string, name: string, view: ComponentType<PartProps>])[] = [
  ['services', 'Services', ServiceList],
  ['tasks', 'Tasks', AllTasks],
  ['nodes', 'Nodes', NodeList],
  ['secrets', 'Secrets', Secrets],
  ['configs', 'Configs', Configs],
  ['membership', 'Swarm', Membership],
];

const readInfo = async (signal: AbortSignal): Promise<SwarmInfo> =>
  (await call<{ Swarm: SwarmInfo }>('/info', { signal })).Swarm;

export function SwarmPages() {
  const [, part = 'services', id, tab] = useRoute().segments;
  const [info, reload] = useResource(readInfo, [], ['node', 'daemon']);
  useEffect(() => {
    const abort = new AbortController();
    void followChanges('swarm', reload, abort.signal);
    return () => abort.abort();
  }, [reload]);
  if (info.state === 'ready' && info.value.ControlAvailable && id !== undefined) {
    if (part === 'services') return <ServicePage key={id} id={id} tab={tab ?? 'overview'} />;
    if (part === 'tasks') return <TaskPage key={id} id={id} tab={tab ?? 'logs'} />;
  }
  return (
    <>
      <PageHeader title="Swarm" />
      <Loaded what="the swarm" resource={info} reload={reload}>
        {(swarm) =>
          swarm.ControlAvailable ? <Parts part={part} left={reload} /> : <NoManager swarm={swarm} reload={reload} />
        }
      </Loaded>
    </>
  );
}

function Parts({ part, left }: PartProps & { readonly part: string }) {
  const [, name = '', View] = parts.find(([path]) => path === part) ?? [];
  return (
    <>
      <Tabs
        label="Parts of the swarm"
        current={name}
        tabs={parts.map(([path, title]) => ({ name: title, href: pathTo('swarm', path) }))}
      />
      {View === undefined ? <Empty>There is no part "{part}".</Empty> : <View left={left} />}
    </>
  );
}

function NoManager({ swarm, reload }: { readonly swarm: SwarmInfo; readonly reload: () => void }) {
  if (swarm.LocalNodeState === 'inactive') {
    return (
      <Empty>
        <p>This engine is in no swarm.</p>
        <div class="actions centered">
          <Button kind="primary" onPress={() => openInit(reload)}>
            Start a swarm…
          </Button>
          <Button onPress={() => openJoin(reload)}>Join a swarm…</Button>
        </div>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>
        This engine is in a swarm ({swarm.LocalNodeState}) and does not manage it: its services are shown by the
        managers.
      </p>
      {swarm.Error !== '' && (
        <p>
          <Text value={swarm.Error} limit={500} />
        </p>
      )}
      <Button kind="danger" onPress={() => leaveSwarm().then(reload)}>
        Leave the swarm…
      </Button>
    </Empty>
  );
}
