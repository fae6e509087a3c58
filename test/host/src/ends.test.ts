import { text } from 'node:stream/consumers';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { fileDaemon } from './testing/file-daemon.js';

const daemonOfFile = fileDaemon();

test.serial('a container that exceeds its memory limit is killed, with an oom event and OOMKilled', async (t) => {
  const { client } = daemonOfFile();
  const since = Math.floor(Date.now() / 1000) - 1;
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'x=a; while :; do x=$x$x; done'],
    HostConfig: { Memory: 16 * 2 ** 20, MemorySwap: 16 * 2 ** 20, NetworkMode: 'none' },
  });
  await container.start();
  t.is((await container.wait()).StatusCode, 137);
  t.like((await container.inspect()).State, { OOMKilled: true, ExitCode: 137, Status: 'exited' });
  const events = await client.getEvents({
    since,
    until: Math.ceil(Date.now() / 1000) + 1,
    filters: { container: [container.id] },
  });
  const actions = (await text(events as never)).trim().split('\n');
  t.deepEqual(
    actions.map((line) => JSON.parse(line).Action),
    ['create', 'start', 'oom', 'die'],
  );
});

test.serial('the OOM kill of a child process publishes an oom event, and the container keeps running', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'sh -c "x=a; while :; do x=\\$x\\$x; done"; echo survived; exec sleep 1000'],
    HostConfig: { Memory: 16 * 2 ** 20, MemorySwap: 16 * 2 ** 20, NetworkMode: 'none' },
  });
  await container.start();
  await eventually('that it survived', async () => String(await container.logs({ stdout: true })).includes('survived'));
  t.true((await container.inspect()).State.Running);
});

for (const [what, Cmd, code, said] of [
  ['a program that is not there', ['nosuchprogram'], 127, /nosuchprogram.*not found/],
  ['a file that is no program', ['/etc/passwd'], 126, /permission denied/],
  ['a directory', ['/etc'], 126, /permission denied|is a directory/],
] as const) {
  test.serial(`${what} fails the start with ${code} and a message naming it`, async (t) => {
    const { client } = daemonOfFile();
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: [...Cmd],
      HostConfig: { NetworkMode: 'none' },
    });
    await t.throwsAsync(container.start(), { message: said });
    const { State } = await container.inspect();
    t.like(State, { ExitCode: code, Status: 'created', Running: false });
    t.regex((State as unknown as { Error: string }).Error, said);
  });
}

test.serial('an exited container has no addresses, even right after its exit', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['true'] });
  await container.start();
  await container.wait();
  const { NetworkSettings } = await container.inspect();
  t.like(NetworkSettings, { IPAddress: '', Gateway: '', MacAddress: '' });
  t.like(NetworkSettings.Networks.bridge, { IPAddress: '', EndpointID: '' });
});

test.serial('a process killed by a signal exits with 128 plus its number', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'sh -c "kill -SEGV \\$\\$"; exit $?'],
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  t.is((await container.wait()).StatusCode, 139);
});

test.serial('a hanging stop delays no other request', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'trap : TERM; while :; do sleep 1; done'],
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  const stopping = container.stop({ t: 3 });
  for (let round = 0; round < 5; round++) {
    await Promise.all([client.listContainers({ all: true }), container.inspect(), client.ping()]);
  }
  t.true((await container.inspect()).State.Running, 'all was answered before it stopped');
  await stopping;
  t.is((await container.inspect()).State.ExitCode, 137);
});
