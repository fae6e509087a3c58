import { filters, post, remove } from '../../api/request';
import { confirm } from '../../components/confirm';
import { formatBytes } from '../../format/format-bytes';
import { plural } from '../../format/plural';
import { attempt, notify } from '../../notices/notices';

export const removeVolume = (name: string, force: boolean): Promise<void> =>
  remove(`/volumes/${encodeURIComponent(name)}`, { force });

export const askVolumeRemoval = (what: string): Promise<{ force: boolean } | undefined> =>
  confirm({
    title: `Remove ${what.slice(0, 80)}?`,
    body: 'The data is deleted and cannot be brought back.',
    action: 'Remove',
    options: { force: 'Forget it also when its driver fails (force)' },
  });

export async function pruneVolumes(): Promise<void> {
  const how = await confirm({
    title: 'Prune volumes?',
    body: 'Deletes the anonymous volumes that no container uses, with their data.',
    action: 'Prune',
    options: { all: 'Also volumes with a name that no container uses' },
  });
  if (how === undefined) return;
  await attempt('Pruning volumes', async () => {
    const query = how.all ? { filters: filters({ all: ['true'] }) } : {};
    const { VolumesDeleted, SpaceReclaimed } = await post<{ VolumesDeleted: string[] | null; SpaceReclaimed: number }>(
      '/volumes/prune',
      query,
    );
    notify('done', `Removed ${plural(VolumesDeleted?.length ?? 0, 'volume')}, freed ${formatBytes(SpaceReclaimed)}.`);
  });
}
