import { post } from '../../api/request';
import { confirm } from '../../components/confirm';
import { formatBytes } from '../../format/format-bytes';
import { plural } from '../../format/plural';
import { attempt, notify } from '../../notices/notices';

export async function pruneContainers(): Promise<void> {
  const body = <p>Removes every container that does not run.</p>;
  if ((await confirm({ title: 'Prune containers?', body, action: 'Prune' })) === undefined) return;
  await attempt('Pruning containers', async () => {
    const { ContainersDeleted, SpaceReclaimed } = await post<{
      ContainersDeleted: string[] | null;
      SpaceReclaimed: number;
    }>('/containers/prune');
    notify(
      'done',
      `Removed ${plural(ContainersDeleted?.length ?? 0, 'container')}, freed ${formatBytes(SpaceReclaimed)}.`,
    );
  });
}
