import type { ContainerDetails } from '../../api/container-types';
import { get } from '../../api/request';
import { Button } from '../../components/button';
import { SimpleTable } from '../../components/simple-table';
import { Empty, Loaded } from '../../components/status-views';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';

interface Processes {
  readonly Titles: readonly string[];
  readonly Processes: readonly (readonly string[])[] | null;
}

export function ContainerProcesses({ container }: { readonly container: ContainerDetails }) {
  if (!container.State.Running) return <Empty>The container does not run.</Empty>;
  return <ProcessTable id={container.Id} />;
}

function ProcessTable({ id }: { readonly id: string }) {
  const [processes, reload] = useResource(
    (signal) => get<Processes>(`/containers/${id}/top`, undefined, signal),
    [id],
    [],
  );
  return (
    <>
      <div class="actions">
        <Button onPress={reload}>Read again</Button>
      </div>
      <Loaded what="the processes" resource={processes} reload={reload}>
        {({ Titles, Processes }) => (
          <SimpleTable
            label="Processes"
            columns={Titles}
            empty="There are no processes."
            rows={(Processes ?? []).map((cells, at) => ({
              key: `${at} ${cells[1]}`,
              cells: cells.map((cell, column) => <Text key={Titles[column]} value={cell} />),
            }))}
          />
        )}
      </Loaded>
    </>
  );
}
