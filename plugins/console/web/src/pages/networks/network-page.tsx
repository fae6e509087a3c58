import { isPredefined, type Network } from '../../api/network-types';
import { get, post } from '../../api/request';
import { Button } from '../../components/button';
import { confirm } from '../../components/confirm';
import { openDialog } from '../../components/dialog';
import { JsonView } from '../../components/json-view';
import { type Entry, KeyValues, textEntries } from '../../components/key-values';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Loaded } from '../../components/status-views';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatTime } from '../../format/format-time';
import { attempt } from '../../notices/notices';
import { goTo, pathTo } from '../../routing/route';
import { ConnectDialog } from './connect-dialog';
import { askNetworkRemoval, removeNetwork } from './network-actions';

export function NetworkPage({ id }: { readonly id: string }) {
  const read = (signal: AbortSignal) => get<Network>(`/networks/${encodeURIComponent(id)}`, undefined, signal);
  const [network, reload] = useResource(read, [id], ['network', 'container']);
  const title = network.state === 'ready' ? network.value.Name : id.slice(0, 12);
  return (
    <>
      <PageHeader title={title} back={{ href: pathTo('networks'), name: 'Networks' }}>
        {network.state === 'ready' && <NetworkButtons network={network.value} />}
      </PageHeader>
      <Loaded what="the network" resource={network} reload={reload}>
        {(value) => (
          <>
            <div class="panels">
              <Panel title="Network">
                <KeyValues entries={entriesOf(value)} />
              </Panel>
              <Panel title="Containers">
                <Members network={value} />
              </Panel>
              <Panel title="Options">
                <KeyValues entries={textEntries(value.Options)} />
              </Panel>
              <Panel title="Labels">
                <KeyValues entries={textEntries(value.Labels)} />
              </Panel>
            </div>
            <JsonView value={value} name={value.Name.slice(0, 80)} />
          </>
        )}
      </Loaded>
    </>
  );
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

const entriesOf = (network: Network): Entry[] => [
  ['Identifier', <code key="id">{network.Id}</code>],
  ['Driver', network.Driver],
  ['Scope', network.Scope],
  ['Created', formatTime(network.Created)],
  ...(network.IPAM.Config ?? []).map(
    ({ Subnet = '', Gateway }): Entry => ['Subnet', Gateway === undefined ? Subnet : `${Subnet}, gateway ${Gateway}`],
  ),
  ['Internal', yesOrNo(network.Internal)],
  ['Attachable', yesOrNo(network.Attachable)],
  ['IPv6', yesOrNo(network.EnableIPv6)],
];

function NetworkButtons({ network }: { readonly network: Network }) {
  const short = network.Name.slice(0, 80);
  const dispose = async (): Promise<void> => {
    if (!(await askNetworkRemoval(short))) return;
    if (await attempt(`Removing ${short}`, () => removeNetwork(network.Id), `Removed ${short}.`)) goTo('networks');
  };
  return (
    <>
      <Button onPress={() => openDialog((close) => <ConnectDialog id={network.Id} close={close} />)}>Connect…</Button>
      <Button kind="danger" disabled={isPredefined(network)} onPress={dispose}>
        Remove…
      </Button>
    </>
  );
}

function Members({ network }: { readonly network: Network }) {
  const disconnect = async (id: string, name: string): Promise<void> => {
    const title = `Disconnect ${name.slice(0, 80)}?`;
    const how = await confirm({
      title,
      action: 'Disconnect',
      options: { force: 'Also when the container fails (force)' },
    });
    if (how === undefined) return;
    const body = { Container: id, Force: how.force };
    await attempt(
      `Disconnecting ${name}`,
      () => post(`/networks/${network.Id}/disconnect`, undefined, body),
      `Disconnected ${name}.`,
    );
  };
  return (
    <SimpleTable
      label="Containers on the network"
      columns={['Container', 'Address', 'Action']}
      empty="No running container is on it."
      rows={Object.entries(network.Containers ?? {}).map(([id, member]) => ({
        key: id,
        cells: [
          <a key="link" href={pathTo('containers', id)}>
            <Text value={member.Name} />
          </a>,
          [member.IPv4Address, member.IPv6Address].filter((address) => address !== '').join(', '),
          <Button
            key="disconnect"
            kind="quiet"
            label={`Disconnect ${member.Name}`}
            onPress={() => disconnect(id, member.Name)}
          >
            Disconnect
          </Button>,
        ],
      }))}
    />
  );
}
