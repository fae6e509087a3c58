import test from 'ava';
import { startDaemon } from './testing/daemon.js';

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

test('a changed mode of /etc is among the changes of a container, and the files of a start are not', async (t) => {
  const { client } = await startDaemon(t);
  const changed = async (...Cmd: string[]) => {
    const container = await client.createContainer({ Image: 'busybox', Cmd });
    await container.start();
    await container.wait();
    return container.changes();
  };
  t.deepEqual(await changed('chmod', '700', '/etc'), [{ Path: '/etc', Kind: 0 }]);
  t.deepEqual(await changed('chown', '3:4', '/etc'), [{ Path: '/etc', Kind: 0 }]);
  t.deepEqual(await changed('true'), []);
});
