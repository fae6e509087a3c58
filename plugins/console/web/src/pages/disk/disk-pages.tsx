import { call, filters, post } from '../../api/request';
import { Button } from '../../components/button';
import { confirm } from '../../components/confirm';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Loaded } from '../../components/status-views';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatBytes } from '../../format/format-bytes';
import { attempt, notify } from '../../notices/notices';
import { DiskBar } from './disk-bar';
import { type DiskKind, diskKinds } from './disk-kinds';
import type { DiskUsage } from './disk-types';

const shownObjects = 10;
const events = ['image', 'container', 'volume', 'builder'];

export function DiskPages() {
  const [usage, reload] = useResource((signal) => call<DiskUsage>('/system/df', { signal }), [], events);
  return (
    <>
      <PageHeader title="Disk use">
        <Button onPress={reload}>Measure again</Button>
      </PageHeader>
      <Loaded what="the disk use" resource={usage} reload={reload}>
        {(value) => <Kinds kinds={diskKinds(value)} reload={reload} />}
      </Loaded>
    </>
  );
}

function Kinds({ kinds, reload }: { readonly kinds: readonly DiskKind[]; readonly reload: () => void }) {
  const largest = Math.max(...kinds.map(({ size }) => size), 1);
  return (
    <>
      <Panel title={`${formatBytes(kinds.reduce((total, { size }) => total + size, 0))} in all`}>
        {kinds.map((kind) => (
          <DiskBar key={kind.name} kind={kind} largest={largest} />
        ))}
      </Panel>
      <div class="panels">
        {kinds.map((kind) => (
          <Panel
            key={kind.name}
            title={kind.name}
            actions={<Button onPress={() => prune(kind).then(reload)}>Prune {kind.name.toLowerCase()}…</Button>}
          >
            <SimpleTable
              label={`Largest of ${kind.name.toLowerCase()}`}
              columns={['Name', 'Size', 'In use']}
              empty="There is nothing."
              rows={kind.objects.slice(0, shownObjects).map(({ name, size, inUse }, at) => ({
                key: `${at} ${name}`,
                cells: [<Text key="name" value={name} limit={80} />, formatBytes(size), inUse ? 'yes' : 'no'],
              }))}
            />
            {kind.objects.length > shownObjects && (
              <p class="hint">… and {kind.objects.length - shownObjects} smaller ones</p>
            )}
          </Panel>
        ))}
      </div>
    </>
  );
}

/** Images and volumes with names are only pruned when all unused ones are asked for. */
const allUnused: Readonly<Record<string, Record<string, string>>> = {
  '/images/prune': { filters: filters({ dangling: ['false'] }) },
  '/volumes/prune': { filters: filters({ all: ['true'] }) },
  '/build/prune': { all: 'true' },
};

async function prune(kind: DiskKind): Promise<void> {
  const name = kind.name.toLowerCase();
  const options =
    allUnused[kind.prune] === undefined ? undefined : { all: 'Also those that have a name or may be used again' };
  const answer = await confirm<'all'>({
    title: `Prune ${name}?`,
    body: (
      <p>
        Removes {kind.removes}: at most {formatBytes(kind.reclaimable)}.
      </p>
    ),
    action: 'Prune',
    ...(options && { options }),
  });
  if (answer === undefined) return;
  await attempt(`Pruning ${name}`, async () => {
    const result = await post<{ SpaceReclaimed: number }>(kind.prune, answer.all ? allUnused[kind.prune] : {});
    notify('done', `Pruned ${name}, freed ${formatBytes(result.SpaceReclaimed)}.`);
  });
}
