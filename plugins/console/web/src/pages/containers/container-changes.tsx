import type { ContainerDetails } from '../../api/container-types';
import { get } from '../../api/request';
import { Loaded } from '../../components/status-views';
import type { Column } from '../../components/table/table-types';
import { VirtualTable } from '../../components/table/virtual-table';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';

interface Change {
  readonly Path: string;
  readonly Kind: 0 | 1 | 2;
}

const kinds = ['modified', 'added', 'deleted'];
const pathOf = ({ Path }: Change): string => Path;
const kindOf = ({ Kind }: Change): string => kinds[Kind] ?? String(Kind);

const columns: readonly Column<Change>[] = [
  { title: 'Path', width: 5, sort: pathOf, cell: ({ Path }) => <Text value={Path} limit={300} /> },
  { title: 'Change', sort: kindOf, cell: kindOf },
];

export function ContainerChanges({ container }: { readonly container: ContainerDetails }) {
  const { Id } = container;
  const read = async (signal: AbortSignal) =>
    (await get<Change[] | null>(`/containers/${Id}/changes`, undefined, signal)) ?? [];
  const [changes, reload] = useResource(read, [Id], []);
  return (
    <Loaded what="the changes" resource={changes} reload={reload}>
      {(rows) => (
        <VirtualTable
          label="changes"
          rows={rows}
          id={pathOf}
          columns={columns}
          text={(row) => `${row.Path} ${kindOf(row)}`}
          rowName={pathOf}
          empty="Nothing has changed since the image."
        />
      )}
    </Loaded>
  );
}
