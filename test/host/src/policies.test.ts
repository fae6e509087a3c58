import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import type { ContainerInspectInfo } from 'dockerode';

const policies = ['no', 'always', 'unless-stopped', 'on-failure'] as const;

/** A container for each policy that runs, and one for each that a user has stopped. */
async function startAll({ client }: Daemon) {
  const make = async (Name: string, name: string) => {
    const container = await client.createContainer({
      name,
      Image: 'busybox',
      Cmd: ['sleep', '1000'],
      StopSignal: 'SIGKILL',
      HostConfig: { RestartPolicy: { Name }, NetworkMode: 'none' },
    });
    await container.start();
    return container;
  };
  for (const policy of policies) {
    await make(policy, `${policy}-running`);
    await (await make(policy, `${policy}-stopped`)).stop();
  }
}

const stateOf = async ({ client }: Daemon, name: string): Promise<ContainerInspectInfo['State']> =>
  (await client.getContainer(name).inspect()).State;

async function running(daemon: Daemon): Promise<readonly string[]> {
  return (await daemon.client.listContainers()).flatMap(({ Names }) => Names.map((name) => name.slice(1))).sort();
}

async function runs(t: ExecutionContext, daemon: Daemon, expected: readonly string[]): Promise<void> {
  const wanted = [...expected].sort();
  await eventually(`running: ${wanted}`, async () => `${await running(daemon)}` === `${wanted}`);
  t.deepEqual(await running(daemon), wanted);
}

test.serial(
  'a restart of the daemon ends nothing, and brings back what a user stopped only where always says so',
  async (t) => {
    const daemon = await startDaemon(t);
    await startAll(daemon);
    const before = await stateOf(daemon, 'no-running');
    await daemon.restart();
    await runs(t, daemon, [...policies.map((policy) => `${policy}-running`), 'always-stopped']);
    t.like(await stateOf(daemon, 'no-running'), { Pid: before.Pid, StartedAt: before.StartedAt });
  },
);

test.serial(
  'after a reboot containers are restarted by policy, and unless-stopped keeps stopped ones stopped',
  async (t) => {
    const daemon = await startDaemon(t);
    await startAll(daemon);
    const ended = await stateOf(daemon, 'unless-stopped-stopped');
    await daemon.reboot();
    await runs(t, daemon, ['always-running', 'always-stopped', 'unless-stopped-running', 'on-failure-running']);
    t.like(await stateOf(daemon, 'no-running'), { Status: 'exited', ExitCode: 255, Running: false });
    t.like(await stateOf(daemon, 'unless-stopped-stopped'), { Status: 'exited', FinishedAt: ended.FinishedAt });
  },
);

test.serial('after a reboot containers have their networks, ports, volumes and files', async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo run >> /data/runs; echo run >> /runs; exec httpd -f -p 80 -h /data'],
    StopSignal: 'SIGKILL',
    ExposedPorts: { '80/tcp': {} },
    HostConfig: {
      Binds: ['kept:/data'],
      RestartPolicy: { Name: 'unless-stopped' },
      PublishAllPorts: true,
    },
  });
  await container.start();
  await daemon.reboot();
  await eventually('it runs again', async () => (await container.inspect()).State.Status === 'running');
  const { NetworkSettings } = await container.inspect();
  t.regex(NetworkSettings.Networks.bridge?.IPAddress ?? '', /^\d+\.\d+\.\d+\.\d+$/);
  const port = NetworkSettings.Ports['80/tcp']?.[0]?.HostPort;
  const answer = await eventually('an answer', () =>
    fetch(`http://127.0.0.1:${port}/runs`).then(
      (response) => response.text(),
      () => undefined,
    ),
  );
  t.is(answer, 'run\nrun\n');
  const exec = await container.exec({ Cmd: ['cat', '/runs'], AttachStdout: true });
  const stream = await exec.start({});
  let text = '';
  for await (const chunk of stream) text += (chunk as Buffer).subarray(8).toString();
  t.is(text, 'run\nrun\n');
  await container.remove({ force: true });
  await client.getVolume('kept').remove();
});

test.serial('failures are counted, and on-failure stops after the maximum', async (t) => {
  const { client } = await startDaemon(t);
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'exit 3'],
    HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 }, NetworkMode: 'none' },
  });
  await container.start();
  const { RestartCount, State } = await eventually('its end', async () => {
    const facts = await container.inspect();
    return facts.State.Status === 'exited' && facts.RestartCount === 2 ? facts : undefined;
  });
  t.is(RestartCount, 2);
  t.like(State, { ExitCode: 3, Restarting: false });
});
