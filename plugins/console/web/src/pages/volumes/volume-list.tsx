import { nameOf as containerName } from '../../api/container-types';
import { get } from '../../api/request';
import type { Volume } from '../../api/volume-types';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { PageHeader } from '../../components/page-header';
import { runOnAll } from '../../components/run-on-all';
import { Loaded } from '../../components/status-views';
import type { BulkAction, Column } from '../../components/table/table-types';
import { VirtualTable } from '../../components/table/virtual-table';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatTime } from '../../format/format-time';
import { plural } from '../../format/plural';
import { pathTo } from '../../routing/route';
import { CreateVolume } from './create-volume';
import { askVolumeRemoval, pruneVolumes, removeVolume } from './volume-actions';
import { readVolumeUsers } from './volume-users';

interface VolumeRow extends Volume {
  /** Names of the containers that mount it. */
  readonly users: string;
}

const nameOf = ({ Name }: VolumeRow): string => Name;

const columns: readonly Column<VolumeRow>[] = [
  {
    title: 'Name',
    width: 3,
    sort: nameOf,
    cell: ({ Name }) => (
      <a href={pathTo('volumes', Name)}>
        <Text value={Name} />
      </a>
    ),
  },
  { title: 'Driver', secondary: true, sort: ({ Driver }) => Driver, cell: ({ Driver }) => <Text value={Driver} /> },
  {
    title: 'Used by',
    width: 2,
    sort: ({ users }) => users,
    cell: ({ users }) => (users === '' ? <span class="muted">no container</span> : <Text value={users} />),
  },
  {
    title: 'Created',
    width: 1.5,
    secondary: true,
    sort: ({ CreatedAt }) => CreatedAt ?? '',
    cell: ({ CreatedAt }) => (CreatedAt === undefined ? 'unknown' : formatTime(CreatedAt)),
  },
];

const bulk: readonly BulkAction<VolumeRow>[] = [
  {
    name: 'Remove…',
    danger: true,
    run: async (rows) => {
      const how = await askVolumeRemoval(plural(rows.length, 'volume'));
      if (how !== undefined)
        await runOnAll('Remove', 'volume', rows, nameOf, ({ Name }) => removeVolume(Name, how.force));
    },
  },
];

async function read(signal: AbortSignal): Promise<VolumeRow[]> {
  const [{ Volumes }, users] = await Promise.all([
    get<{ Volumes: Volume[] | null }>('/volumes', undefined, signal),
    readVolumeUsers(signal),
  ]);
  return (Volumes ?? []).map((volume) => ({
    ...volume,
    users: (users.get(volume.Name) ?? []).map(containerName).join(', '),
  }));
}

export function VolumeList() {
  const [volumes, reload] = useResource(read, [], ['volume', 'container']);
  return (
    <>
      <PageHeader title="Volumes">
        <Button onPress={pruneVolumes}>Prune…</Button>
        <Button kind="primary" onPress={() => openDialog((close) => <CreateVolume close={close} />)}>
          Create…
        </Button>
      </PageHeader>
      <Loaded what="the volumes" resource={volumes} reload={reload}>
        {(rows) => (
          <VirtualTable
            label="volumes"
            rows={rows}
            id={nameOf}
            columns={columns}
            text={(row) => `${row.Name} ${row.Driver} ${row.users}`}
            rowName={nameOf}
            bulk={bulk}
          />
        )}
      </Loaded>
    </>
  );
}
