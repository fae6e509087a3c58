import { call, remove } from '../../../api/request';
import { Button } from '../../../components/button';
import { confirm } from '../../../components/confirm';
import { openDialog } from '../../../components/dialog';
import { runOnAll } from '../../../components/run-on-all';
import { Loaded } from '../../../components/status-views';
import type { BulkAction, Column } from '../../../components/table/table-types';
import { VirtualTable } from '../../../components/table/virtual-table';
import { Text } from '../../../components/text';
import { useResource } from '../../../events/use-resource';
import { formatAge } from '../../../format/format-time';
import { plural } from '../../../format/plural';
import type { StoredItem } from '../swarm-types';
import { ItemDialog } from './item-dialog';

/** What the swarm gives to tasks as files: secrets, which no one can read again, and configs. */
export type ItemKind = 'secret' | 'config';

export const Secrets = () => <ItemList kind="secret" />;
export const Configs = () => <ItemList kind="config" />;

const nameOf = ({ Spec }: StoredItem): string => Spec.Name;

const columns: readonly Column<StoredItem>[] = [
  { title: 'Name', width: 1.6, sort: nameOf, cell: (item) => <Text value={nameOf(item)} /> },
  { title: 'Identifier', width: 1.4, cell: ({ ID }) => <code>{ID}</code> },
  {
    title: 'Labels',
    width: 1.4,
    cell: ({ Spec }) => (
      <Text
        value={Object.entries(Spec.Labels ?? {})
          .map(([name, value]) => `${name}=${value}`)
          .join(', ')}
      />
    ),
  },
  {
    title: 'Created',
    sort: ({ CreatedAt }) => -Date.parse(CreatedAt),
    cell: ({ CreatedAt }) => formatAge(Date.parse(CreatedAt)),
  },
];

const bulkOf = (kind: ItemKind): readonly BulkAction<StoredItem>[] => [
  {
    name: 'Remove…',
    danger: true,
    run: async (rows) => {
      const title = `Remove ${plural(rows.length, kind)}?`;
      if ((await confirm({ title, action: 'Remove' })) === undefined) return;
      await runOnAll('Remove', kind, rows, nameOf, ({ ID }) => remove(`/${kind}s/${ID}`));
    },
  },
];

function ItemList({ kind }: { readonly kind: ItemKind }) {
  const [items, reload] = useResource((signal) => call<StoredItem[]>(`/${kind}s`, { signal }), [kind], [kind]);
  return (
    <Loaded what={`the ${kind}s`} resource={items} reload={reload}>
      {(rows) => (
        <VirtualTable
          label={`${kind}s`}
          rows={rows}
          id={({ ID }) => ID}
          columns={columns}
          text={({ ID, Spec }) => `${Spec.Name} ${ID}`}
          rowName={nameOf}
          bulk={bulkOf(kind)}
          tools={
            <Button kind="primary" onPress={() => openDialog((close) => <ItemDialog kind={kind} close={close} />)}>
              Create…
            </Button>
          }
        />
      )}
    </Loaded>
  );
}
