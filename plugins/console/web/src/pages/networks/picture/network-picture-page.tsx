import type { ContainerSummary } from '../../../api/container-types';
import type { Network } from '../../../api/network-types';
import { get } from '../../../api/request';
import { PageHeader } from '../../../components/page-header';
import { Panel } from '../../../components/panel';
import { ScrollBox } from '../../../components/scrolling/scroll-box';
import { SimpleTable } from '../../../components/simple-table';
import { Loaded } from '../../../components/status-views';
import { Text } from '../../../components/text';
import { useResource } from '../../../events/use-resource';
import { pathTo } from '../../../routing/route';
import { NetworkPicture } from './network-picture';
import { layoutOf } from './picture-layout';

const read = (signal: AbortSignal) =>
  Promise.all([
    get<Network[]>('/networks', undefined, signal),
    get<ContainerSummary[]>('/containers/json', { all: true }, signal),
  ]);

export function NetworkPicturePage() {
  const [resource, reload] = useResource(read, [], ['network', 'container']);
  return (
    <>
      <PageHeader title="Picture of the networks" back={{ href: pathTo('networks'), name: 'Networks' }} />
      <Loaded what="the networks" resource={resource} reload={reload}>
        {([networks, containers]) => {
          const layout = layoutOf(networks, containers);
          return (
            <>
              <Panel title="Networks, containers and published ports">
                <ScrollBox label="Picture of the networks">
                  <NetworkPicture layout={layout} />
                </ScrollBox>
              </Panel>
              <Panel title="In words">
                <SimpleTable
                  label="Which container is on which network"
                  columns={['Network', 'Container', 'State', 'Address', 'Published ports']}
                  empty="No container is on a network."
                  rows={layout.lines.map(({ network, container, address }) => ({
                    key: `${network.id} ${container.id}`,
                    cells: [
                      <Text key="network" value={network.name} />,
                      <Text key="container" value={container.name} />,
                      container.detail,
                      address,
                      layout.containers.find(({ id }) => id === container.id)?.ports ?? '',
                    ],
                  }))}
                />
              </Panel>
            </>
          );
        }}
      </Loaded>
    </>
  );
}
