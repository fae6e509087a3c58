import { isPredefined, type Network, subnetsOf } from '../../api/network-types';
import { get } from '../../api/request';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { PageHeader } from '../../components/page-header';
import { runOnAll } from '../../components/run-on-all';
import { Loaded } from '../../components/status-views';
import type { BulkAction, Column } from '../../components/table/table-types';
import { VirtualTable } from '../../components/table/virtual-table';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { plural } from '../../format/plural';
import { shortId } from '../../format/short-id';
import { pathTo } from '../../routing/route';
import { CreateNetwork } from './create-network';
import { askNetworkRemoval, pruneNetworks, removeNetwork } from './network-actions';

const idOf = ({ Id }: Network): string => Id;
const nameOf = ({ Name }: Network): string => Name;

const flagsOf = (network: Network): string =>
  [
    isPredefined(network) && 'predefined',
    network.Internal && 'internal',
    network.Attachable && 'attachable',
    network.EnableIPv6 && 'IPv6',
    network.Ingress && 'ingress',
  ]
    .filter((flag) => flag !== false)
    .join(', ');

const columns: readonly Column<Network>[] = [
  {
    title: 'Name',
    width: 2,
    sort: nameOf,
    cell: ({ Id, Name }) => (
      <a href={pathTo('networks', Id)}>
        <Text value={Name} />
      </a>
    ),
  },
  { title: 'Identifier', secondary: true, cell: ({ Id }) => <code>{shortId(Id)}</code> },
  { title: 'Driver', sort: ({ Driver }) => Driver, cell: ({ Driver }) => <Text value={Driver} /> },
  { title: 'Scope', width: 0.7, secondary: true, sort: ({ Scope }) => Scope, cell: ({ Scope }) => Scope },
  { title: 'Subnets', width: 1.6, sort: subnetsOf, cell: (network) => <Text value={subnetsOf(network)} /> },
  { title: 'Properties', width: 1.2, secondary: true, sort: flagsOf, cell: flagsOf },
];

const bulk: readonly BulkAction<Network>[] = [
  {
    name: 'Remove…',
    danger: true,
    run: async (rows) => {
      if (await askNetworkRemoval(plural(rows.length, 'network'))) {
        await runOnAll('Remove', 'network', rows, nameOf, ({ Id }) => removeNetwork(Id));
      }
    },
  },
];

export function NetworkList() {
  const read = (signal: AbortSignal) => get<Network[]>('/networks', undefined, signal);
  const [networks, reload] = useResource(read, [], ['network']);
  return (
    <>
      <PageHeader title="Networks">
        <a class="button plain" href={pathTo('networks', 'picture')}>
          Picture
        </a>
        <Button onPress={pruneNetworks}>Prune…</Button>
        <Button kind="primary" onPress={() => openDialog((close) => <CreateNetwork close={close} />)}>
          Create…
        </Button>
      </PageHeader>
      <Loaded what="the networks" resource={networks} reload={reload}>
        {(rows) => (
          <VirtualTable
            label="networks"
            rows={rows}
            id={idOf}
            columns={columns}
            text={(row) => `${row.Name} ${row.Id} ${row.Driver} ${subnetsOf(row)} ${flagsOf(row)}`}
            rowName={nameOf}
            bulk={bulk}
          />
        )}
      </Loaded>
    </>
  );
}
