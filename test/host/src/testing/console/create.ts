import type { ExecutionContext } from 'ava';
import { askNewest } from '../ask-newest.js';
import type { ConsolePage } from '../start-console.js';
import { startStubRegistry } from '../stub-registry.js';

interface Inspected {
  readonly State: { readonly Status: string };
  readonly Config: Readonly<Record<string, unknown>>;
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly Aliases: readonly string[] }>> };
}

const inspected = async (daemon: ConsolePage['daemon'], name: string): Promise<Inspected> =>
  JSON.parse((await askNewest(daemon, 'GET', `/containers/${name}/json`))[1]) as Inspected;

/** The form, with something in every part of it. */
export async function create(t: ExecutionContext, { daemon, page, show, press, errors }: ConsolePage) {
  await daemon.client.createNetwork({ Name: 'form-net' });
  await daemon.client.createVolume({ Name: 'form-data' });
  await show('containers/create');
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  };
  await fill({
    Image: 'busybox:latest',
    Name: 'formed',
    Command: "sh -c 'exec sleep 1000'",
    'Working directory': '/tmp',
    'Host name': 'formed-host',
    Environment: 'ONE=1\nTWO=2',
    Labels: 'group=form',
    Memory: '64m',
    Processes: '50',
    'Stop signal': 'SIGKILL',
    'Capabilities to add': 'NET_ADMIN',
    'Kernel parameters (sysctls)': 'net.ipv4.ip_unprivileged_port_start=77',
    'Extra hosts': 'other:192.0.2.7',
  });
  await press('+ Add mount');
  await fill({ 'Source of mount 1': 'form-data', 'Target of mount 1': '/data' });
  await press('+ Add port');
  await fill({ 'Host address of port 1': '127.0.0.1', 'Container port of port 1': '80' });
  await press('+ Add network');
  await page.getByLabel('Network of network 1').selectOption('form-net');
  await fill({ 'Aliases of network 1': 'nick' });
  await press('+ Add device');
  await fill({ 'Device of the host of device 1': '/dev/null', 'Path in the container of device 1': '/dev/mine' });
  await page.getByLabel('Rights of device 1').selectOption('rw');
  await press('+ Add ulimit');
  await fill({ 'Name of ulimit 1': 'nofile', 'Soft limit of ulimit 1': '512', 'Hard limit of ulimit 1': '1024' });
  await page.getByLabel('Restart policy').selectOption('unless-stopped');
  await press('Create and start');
  await page.getByRole('heading', { name: 'formed' }).waitFor();
  await page.getByText('running', { exact: true }).first().waitFor();
  const { State, Config, HostConfig, NetworkSettings } = await inspected(daemon, 'formed');
  t.is(State.Status, 'running');
  t.like(Config, {
    Cmd: ['sh', '-c', 'exec sleep 1000'],
    WorkingDir: '/tmp',
    Hostname: 'formed-host',
    Labels: { group: 'form' },
    StopSignal: 'SIGKILL',
  });
  t.true((Config.Env as string[]).includes('TWO=2'));
  t.like(HostConfig, {
    Memory: 64 * 2 ** 20,
    PidsLimit: 50,
    RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 },
    Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '77' },
    Devices: [{ PathOnHost: '/dev/null', PathInContainer: '/dev/mine', CgroupPermissions: 'rw' }],
    Ulimits: [{ Name: 'nofile', Soft: 512, Hard: 1024 }],
    ExtraHosts: ['other:192.0.2.7'],
    NetworkMode: 'form-net',
  });
  t.regex(JSON.stringify(HostConfig.CapAdd), /NET_ADMIN/);
  t.regex(JSON.stringify(HostConfig.Mounts), /"form-data".*"\/data"|"\/data".*"form-data"/);
  t.deepEqual(NetworkSettings.Networks['form-net']?.Aliases.includes('nick'), true);
  await show('containers/create');
  await fill({ Image: 'busybox', 'Kernel parameters (sysctls)': 'net.core.nothing_of_the_kind=1' });
  await page.getByLabel('Start it at once').uncheck();
  await press('+ Add device');
  await press('Create');
  await page.getByText('Creating the container failed: devices: "" is not an absolute path of the host').waitFor();
  t.deepEqual(errors, []);
}

/** An image that is missing is pulled first, with the credentials that the form has. */
export async function createAndPull(t: ExecutionContext, { daemon, page, show, press }: ConsolePage) {
  const { client } = daemon;
  const credentials = { username: 'ada', password: 'lovelace' };
  const registry = await startStubRegistry(t, credentials);
  const name = `${registry}/private:1`;
  await client.getImage('busybox').tag({ repo: `${registry}/private`, tag: '1' });
  const pushing = await client.getImage(name).push({ authconfig: { ...credentials, serveraddress: registry } });
  for await (const message of pushing) t.notRegex(String(message), /error/);
  await client.getImage(name).remove();
  const fill = async (password: string) => {
    await page.getByLabel('Image', { exact: true }).fill(name);
    await page.getByLabel('Name', { exact: true }).fill('pulled');
    await page.getByLabel('User at the registry').fill(credentials.username);
    await page.getByLabel('Password or token').fill(password);
    await page.getByLabel('Start it at once').uncheck();
    await press('Create');
  };
  await show('containers/create');
  await fill('wrong');
  await page.getByText(/Creating the container failed: .*(unauthorized|denied|401)/i).waitFor();
  await fill(credentials.password);
  await page.getByRole('heading', { name: 'pulled' }).waitFor();
  t.is((await inspected(daemon, 'pulled')).Config.Image, name);
}
