import type { ContainerSummary, ImageSummary, NetworkDetails, PluginSummary, VolumeList } from '../wire.js';
import type { World } from '../world.js';
import { bystanderName } from './bystander.js';

/** Removes through the API whatever a scenario made. Rejects when something cannot be removed. */
export async function reset({ must, ask }: World): Promise<void> {
  // The containers of its tasks are removed with it.
  if ((await ask('GET', '/swarm'))?.status === 200) await must('POST', '/swarm/leave?force=1');
  for (const { Id, Names } of await must<ContainerSummary[]>('GET', '/containers/json?all=1')) {
    if (Names.includes(`/${bystanderName}`)) continue;
    const answer = await ask('DELETE', `/containers/${Id}?force=1&v=1`);
    if (answer === undefined || (answer.status >= 400 && answer.status !== 404 && answer.status !== 409)) {
      throw new Error(`container ${Names} cannot be removed: ${answer?.status} ${answer?.text}`);
    }
  }
  for (const { Name, Active } of await must<PluginSummary[]>('GET', '/plugins')) {
    if (Active) await must('POST', `/plugins/${Name}/disable?force=1`);
    await must('DELETE', `/plugins/${Name}`);
  }
  for (const { Name } of (await must<VolumeList>('GET', '/volumes')).Volumes ?? []) {
    if (Name !== 'kept') await must('DELETE', `/volumes/${Name}`);
  }
  for (const { Name, Id } of await must<NetworkDetails[]>('GET', '/networks')) {
    if (!['bridge', 'host', 'none', 'quiet'].includes(Name)) await must('DELETE', `/networks/${Id}`);
  }
  await removeImages({ must, ask });
}

/** Images of steps go with the image that was made of them, or are the last of their kind. */
async function removeImages({ must, ask }: Pick<World, 'must' | 'ask'>): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const images = await must<ImageSummary[]>('GET', '/images/json?all=1');
    const rest = images.filter(({ RepoTags }) => !RepoTags?.includes('busybox:latest'));
    if (rest.length === 0) return;
    for (const { Id } of rest) await ask('DELETE', `/images/${Id}?force=1`);
  }
  throw new Error('images cannot be removed');
}
