import type { ContainerSummary } from '../../api/container-types';
import { type ImageSummary, tagsOf } from '../../api/image-types';
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
import { formatBytes } from '../../format/format-bytes';
import { formatAge } from '../../format/format-time';
import { plural } from '../../format/plural';
import { shortId } from '../../format/short-id';
import { pathTo } from '../../routing/route';
import { BuildDialog } from './build/build-dialog';
import { askImageRemoval, removeImage } from './image-actions';
import { ImportDialog } from './import-dialog';
import { LoadDialog } from './load-dialog';
import { pruneImages } from './prune-images';
import { PullDialog } from './pull-dialog';

interface ImageRow extends ImageSummary {
  readonly users: number;
}

const idOf = ({ Id }: ImageRow): string => Id;
const nameOf = (image: ImageRow): string => tagsOf(image)[0] ?? shortId(image.Id);
const tagText = (image: ImageRow): string => tagsOf(image).join(', ') || 'no tag';

const columns: readonly Column<ImageRow>[] = [
  {
    title: 'Tags',
    width: 3,
    sort: tagText,
    cell: (image) => (
      <a href={pathTo('images', image.Id)}>
        <Text value={tagText(image)} />
      </a>
    ),
  },
  { title: 'Identifier', width: 1.1, secondary: true, cell: ({ Id }) => <code>{shortId(Id)}</code> },
  { title: 'Size', sort: ({ Size }) => Size, cell: ({ Size }) => formatBytes(Size) },
  {
    title: 'Created',
    secondary: true,
    sort: ({ Created }) => -Created,
    cell: ({ Created }) => formatAge(Created * 1000),
  },
  {
    title: 'Used by',
    secondary: true,
    sort: ({ users }) => users,
    cell: ({ users }) => (users === 0 ? <span class="muted">no container</span> : plural(users, 'container')),
  },
];

const bulk: readonly BulkAction<ImageRow>[] = [
  {
    name: 'Remove…',
    danger: true,
    run: async (rows) => {
      const how = await askImageRemoval(plural(rows.length, 'image'), undefined);
      if (how !== undefined) await runOnAll('Remove', 'image', rows, nameOf, ({ Id }) => removeImage(Id, how.force));
    },
  },
];

async function read(signal: AbortSignal): Promise<ImageRow[]> {
  const [images, containers] = await Promise.all([
    get<ImageSummary[]>('/images/json', undefined, signal),
    get<ContainerSummary[]>('/containers/json', { all: true }, signal),
  ]);
  const users = new Map<string, number>();
  for (const { ImageID } of containers) users.set(ImageID, (users.get(ImageID) ?? 0) + 1);
  return images.map((image) => ({ ...image, users: users.get(image.Id) ?? 0 }));
}

export function ImageList() {
  const [images, reload] = useResource(read, [], ['image', 'container']);
  return (
    <>
      <PageHeader title="Images">
        <Button onPress={pruneImages}>Prune…</Button>
        <Button onPress={() => openDialog((close) => <LoadDialog close={close} />)}>Load…</Button>
        <Button onPress={() => openDialog((close) => <ImportDialog close={close} />)}>Import…</Button>
        <Button onPress={() => openDialog((close) => <BuildDialog close={close} />)}>Build…</Button>
        <Button kind="primary" onPress={() => openDialog((close) => <PullDialog close={close} />)}>
          Pull…
        </Button>
      </PageHeader>
      <Loaded what="the images" resource={images} reload={reload}>
        {(rows) => (
          <VirtualTable
            label="images"
            rows={rows}
            id={idOf}
            columns={columns}
            text={(row) => `${tagText(row)} ${row.Id}`}
            rowName={nameOf}
            bulk={bulk}
          />
        )}
      </Loaded>
    </>
  );
}
