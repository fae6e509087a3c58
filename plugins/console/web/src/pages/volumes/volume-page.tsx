import { nameOf } from '../../api/container-types';
import { get } from '../../api/request';
import type { Volume } from '../../api/volume-types';
import { Button } from '../../components/button';
import { JsonView } from '../../components/json-view';
import { KeyValues, textEntries } from '../../components/key-values';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Loaded } from '../../components/status-views';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatTime } from '../../format/format-time';
import { attempt } from '../../notices/notices';
import { goTo, pathTo } from '../../routing/route';
import { askVolumeRemoval, removeVolume } from './volume-actions';
import { readVolumeUsers } from './volume-users';

async function read(name: string, signal: AbortSignal) {
  const [volume, users] = await Promise.all([
    get<Volume>(`/volumes/${encodeURIComponent(name)}`, undefined, signal),
    readVolumeUsers(signal),
  ]);
  return { volume, users: users.get(volume.Name) ?? [] };
}

export function VolumePage({ name }: { readonly name: string }) {
  const [resource, reload] = useResource((signal) => read(name, signal), [name], ['volume', 'container']);
  const short = name.slice(0, 80);
  const dispose = async (): Promise<void> => {
    const how = await askVolumeRemoval(short);
    if (how === undefined) return;
    if (await attempt(`Removing ${short}`, () => removeVolume(name, how.force), `Removed ${short}.`)) goTo('volumes');
  };
  return (
    <>
      <PageHeader title={name} back={{ href: pathTo('volumes'), name: 'Volumes' }}>
        <Button kind="danger" onPress={dispose}>
          Remove…
        </Button>
      </PageHeader>
      <Loaded what="the volume" resource={resource} reload={reload}>
        {({ volume, users }) => (
          <>
            <div class="panels">
              <Panel title="Volume">
                <KeyValues
                  entries={[
                    ['Driver', volume.Driver],
                    ['Mount point', volume.Mountpoint],
                    ['Scope', volume.Scope],
                    ['Created', volume.CreatedAt === undefined ? 'unknown' : formatTime(volume.CreatedAt)],
                  ]}
                />
              </Panel>
              <Panel title="Containers that use it">
                <SimpleTable
                  label="Containers that use the volume"
                  columns={['Container', 'Mounted at']}
                  empty="No container uses it."
                  rows={users.map((container) => ({
                    key: container.Id,
                    cells: [
                      <a key="link" href={pathTo('containers', container.Id)}>
                        <Text value={nameOf(container)} />
                      </a>,
                      <Text
                        key="target"
                        value={container.Mounts.flatMap(({ Name, Destination }) =>
                          Name === name ? [Destination] : [],
                        ).join(', ')}
                      />,
                    ],
                  }))}
                />
              </Panel>
              <Panel title="Options">
                <KeyValues entries={textEntries(volume.Options)} />
              </Panel>
              <Panel title="Labels">
                <KeyValues entries={textEntries(volume.Labels)} />
              </Panel>
            </div>
            <JsonView value={volume} name={short} />
          </>
        )}
      </Loaded>
    </>
  );
}
