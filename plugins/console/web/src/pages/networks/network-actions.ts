import { post, remove } from '../../api/request';
import { confirm } from '../../components/confirm';
import { plural } from '../../format/plural';
import { attempt, notify } from '../../notices/notices';

export const removeNetwork = (id: string): Promise<void> => remove(`/networks/${encodeURIComponent(id)}`);

export const askNetworkRemoval = async (what: string): Promise<boolean> =>
  (await confirm({ title: `Remove ${what.slice(0, 80)}?`, action: 'Remove' })) !== undefined;

export async function pruneNetworks(): Promise<void> {
  const body = 'Removes the networks that no container uses.';
  if ((await confirm({ title: 'Prune networks?', body, action: 'Prune' })) === undefined) return;
  await attempt('Pruning networks', async () => {
    const { NetworksDeleted } = await post<{ NetworksDeleted: string[] | null }>('/networks/prune');
    notify('done', `Removed ${plural(NetworksDeleted?.length ?? 0, 'network')}.`);
  });
}
