import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';

test('a commit with a pause succeeds whenever the container exits meanwhile', async (t) => {
  const { client } = await startDaemon(t);
  const commitWhileExiting = async (index: number): Promise<string> => {
    const Cmd = ['sh', '-c', `echo ${index} > /f; usleep ${index * 2000}`];
    const container = await client.createContainer({ Image: 'busybox', Cmd });
    await container.start();
    const made = (await container.commit({ repo: `committed-${index}`, pause: true })) as { readonly Id: string };
    await container.wait();
    await container.remove();
    return made.Id;
  };
  const ids: string[] = [];
  for (let index = 0; index < 40; index += 4) {
    ids.push(...(await Promise.all([0, 1, 2, 3].map((more) => commitWhileExiting(index + more)))));
  }
  t.is(new Set(ids).size, 40);
});
