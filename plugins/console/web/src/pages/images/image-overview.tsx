import { type ContainerSummary, nameOf } from '../../api/container-types';
import { type ImageDetails, tagsOf } from '../../api/image-types';
import { StateBadge } from '../../components/badge';
import { Button } from '../../components/button';
import { confirm } from '../../components/confirm';
import { type Entry, KeyValues, textEntries } from '../../components/key-values';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Text } from '../../components/text';
import { formatBytes } from '../../format/format-bytes';
import { formatTime } from '../../format/format-time';
import { attempt } from '../../notices/notices';
import { pathTo } from '../../routing/route';
import { removeImage } from './image-actions';

interface ImageOverviewProps {
  readonly image: ImageDetails;
  readonly users: readonly ContainerSummary[];
  readonly own: number;
}

export function ImageOverview({ image, users, own }: ImageOverviewProps) {
  return (
    <div class="panels">
      <Panel title="Image">
        <KeyValues entries={entriesOf(image, own)} />
      </Panel>
      <Panel title="Tags">
        <Tags image={image} />
      </Panel>
      <Panel title="Containers that use it">
        <SimpleTable
          label="Containers that use the image"
          columns={['Container', 'State']}
          empty="No container uses it."
          rows={users.map((container) => ({
            key: container.Id,
            cells: [
              <a key="link" href={pathTo('containers', container.Id)}>
                <Text value={nameOf(container)} />
              </a>,
              <StateBadge key="state" state={container.State} />,
            ],
          }))}
        />
      </Panel>
      <Panel title="What its containers run">
        <KeyValues entries={configurationOf(image)} />
      </Panel>
      <Panel title="Labels">
        <KeyValues entries={textEntries(image.Config?.Labels)} />
      </Panel>
    </div>
  );
}

const entriesOf = (image: ImageDetails, own: number): Entry[] => [
  ['Identifier', <code key="id">{image.Id}</code>],
  ['Size', formatBytes(image.Size)],
  ['Removing would free', formatBytes(own)],
  ['Created', formatTime(image.Created)],
  ['Platform', `${image.Os}/${image.Architecture}`],
  ['Layers', String(image.RootFS?.Layers?.length ?? 0)],
  ['Author', image.Author ?? ''],
  ['Comment', image.Comment ?? ''],
  ['Digests', (image.RepoDigests ?? []).join(', ')],
];

function configurationOf({ Config }: ImageDetails): Entry[] {
  return [
    ['Entry point', (Config?.Entrypoint ?? []).join(' ')],
    ['Command', (Config?.Cmd ?? []).join(' ')],
    ['User', Config?.User || 'root'],
    ['Working directory', Config?.WorkingDir || '/'],
    ['Ports', Object.keys(Config?.ExposedPorts ?? {}).join(', ')],
    ['Volumes', Object.keys(Config?.Volumes ?? {}).join(', ')],
    ['Environment', (Config?.Env ?? []).join('\n')],
  ];
}

function Tags({ image }: { readonly image: ImageDetails }) {
  const untag = async (tag: string): Promise<void> => {
    if ((await confirm({ title: `Remove the tag ${tag.slice(0, 80)}?`, action: 'Remove' })) === undefined) return;
    await attempt(`Removing ${tag}`, () => removeImage(tag, false), `Removed ${tag}.`);
  };
  return (
    <SimpleTable
      label="Tags of the image"
      columns={['Tag', 'Action']}
      empty="It has no tag."
      rows={tagsOf(image).map((tag) => ({
        key: tag,
        cells: [
          <Text key="tag" value={tag} />,
          <Button key="remove" kind="quiet" label={`Remove the tag ${tag}`} onPress={() => untag(tag)}>
            Remove
          </Button>,
        ],
      }))}
    />
  );
}
