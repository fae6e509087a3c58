import { filters, post } from '../../api/request';
import { confirm } from '../../components/confirm';
import { formatBytes } from '../../format/format-bytes';
import { plural } from '../../format/plural';
import { attempt, notify } from '../../notices/notices';

interface Pruned {
  readonly ImagesDeleted: readonly { readonly Deleted?: string }[] | null;
  readonly SpaceReclaimed: number;
}

export async function pruneImages(): Promise<void> {
  const how = await confirm({
    title: 'Prune images?',
    body: <p>Removes the images that have no tag and that no container uses.</p>,
    action: 'Prune',
    options: { all: 'Also images with a tag that no container uses' },
  });
  if (how === undefined) return;
  await attempt('Pruning images', async () => {
    const query = { filters: filters({ dangling: [how.all ? 'false' : 'true'] }) };
    const { ImagesDeleted, SpaceReclaimed } = await post<Pruned>('/images/prune', query);
    const deleted = (ImagesDeleted ?? []).filter(({ Deleted }) => Deleted !== undefined).length;
    notify('done', `Removed ${plural(deleted, 'image')}, freed ${formatBytes(SpaceReclaimed)}.`);
  });
}
