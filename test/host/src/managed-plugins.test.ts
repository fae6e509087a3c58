import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import { ask } from './testing/ask.js';
import { askNewest } from './testing/ask-newest.js';
import { hostState } from './testing/host-state.js';
import { pushExamplePlugin } from './testing/push-example-plugin.js';
import { startStubRegistry } from './testing/stub-registry.js';

async function start(t: ExecutionContext, configuration = {}) {
  const daemon = await startDaemon(t);
  const plugin = await pushExamplePlugin(await startStubRegistry(t), configuration);
  return { daemon, plugin };
}

const install = async (daemon: Daemon, plugin: string): Promise<void> => {
  await ask(daemon, 'POST', `/plugins/pull?name=${plugin}`);
  await ask(daemon, 'POST', `/plugins/${plugin}/enable`);
};

const uninstall = async (daemon: Daemon, plugin: string): Promise<void> => {
  await ask(daemon, 'POST', `/plugins/${plugin}/disable`);
  await ask(daemon, 'DELETE', `/plugins/${plugin}`);
};

/** A container with a volume, a network and a log of the plugin's. */
async function use(daemon: Daemon, plugin: string, Cmd: readonly string[]) {
  const { client } = daemon;
  await client.createVolume({ Name: 'data', Driver: plugin });
  const network = await client.createNetwork({ Name: 'lan', Driver: plugin });
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: [...Cmd],
    HostConfig: { Binds: ['data:/data'], NetworkMode: 'lan', LogConfig: { Type: plugin, Config: {} } },
  });
  await container.start();
  return {
    container,
    async remove(): Promise<void> {
      await container.remove({ force: true });
      await network.remove();
      await client.getVolume('data').remove();
    },
  };
}

const logOf = async (container: Awaited<ReturnType<typeof use>>['container']): Promise<string> =>
  (await container.logs({ stdout: true, stderr: true })).toString();

test.serial('a container has a volume, a network and a log of a managed plugin', async (t) => {
  const { daemon, plugin } = await start(t);
  await install(daemon, plugin);
  const used = await use(daemon, plugin, ['sh', '-c', 'echo kept >/data/file; cat /data/file; ip -4 addr show eth0']);
  await used.container.wait();
  t.regex(await logOf(used.container), /kept[\s\S]*inet \d/);
  await t.throwsAsync(ask(daemon, 'POST', `/plugins/${plugin}/disable`), { message: /500 .*is in use: / });
  await used.remove();
  await uninstall(daemon, plugin);
});

test.serial('clients of 1.25 and later grant privileges, and see settings', async (t) => {
  const { daemon, plugin } = await start(t, { linux: { capabilities: ['CAP_SYS_ADMIN'] } });
  const asked = (method: string, target: string, body?: unknown) => askNewest(daemon, method, target, body);
  const remote = encodeURIComponent(plugin);
  const privileges = JSON.parse((await asked('GET', `/plugins/privileges?remote=${remote}`))[1]) as object[];
  t.true(privileges.some((privilege) => 'Name' in privilege && privilege.Name === 'capabilities'));
  const [refused, words] = await asked('POST', `/plugins/pull?remote=${remote}&name=mine`, []);
  t.is(refused, 403);
  t.regex(words, /needs privileges that are not granted: .*capabilities \[CAP_SYS_ADMIN\]/);
  t.is((await asked('GET', '/plugins'))[1].trim(), '[]');
  const [installed, said] = await asked('POST', `/plugins/pull?remote=${remote}&name=mine`, privileges);
  t.is(installed, 200, said);
  const [listed] = JSON.parse((await asked('GET', '/plugins'))[1]) as [object];
  t.like(listed, { Name: 'mine:latest', Enabled: false });
  t.deepEqual(JSON.parse((await asked('GET', '/plugins/mine/json'))[1]), listed);
  const filters = encodeURIComponent(JSON.stringify({ enabled: ['true'] }));
  t.is((await asked('GET', `/plugins?filters=${filters}`))[1].trim(), '[]');
  t.like((JSON.parse(await ask(daemon, 'GET', '/plugins')) as [object])[0], {
    Name: 'mine',
    Tag: 'latest',
    Active: false,
  });
  await ask(daemon, 'DELETE', '/plugins/mine');
});

test.serial('a plugin runs with the settings that an operator has made, also after a crash', async (t) => {
  const { daemon, plugin } = await start(t, {
    env: [{ name: 'LEVEL', value: '3', settable: ['value'] }],
    args: { name: 'args', value: ['--quiet'], settable: ['value'] },
  });
  await ask(daemon, 'POST', `/plugins/pull?name=${plugin}`);
  const set = (...settings: string[]) => askNewest(daemon, 'POST', `/plugins/${plugin}/set`, settings);
  t.is((await set('LEVEL=7', 'nosuch=1'))[0], 400);
  t.deepEqual(await set('LEVEL=9', 'args=--loud twice'), [204, '']);
  await daemon.crash();
  await daemon.restart();
  await ask(daemon, 'POST', `/plugins/${plugin}/enable`);
  t.is((await set('LEVEL=1'))[0], 500);
  const { proc } = await placeOf(daemon);
  const words = await readFile(path.join(proc, 'cmdline'), 'utf8');
  t.is(words, [process.execPath, '/app/main.js', '--loud', 'twice', ''].join('\0'));
  t.true((await readFile(path.join(proc, 'environ'), 'utf8')).split('\0').includes('LEVEL=9'));
  const { Settings, Config } = JSON.parse((await askNewest(daemon, 'GET', `/plugins/${plugin}/json`))[1]);
  t.like(Settings, { Env: ['LEVEL=9'], Args: ['--loud', 'twice'] });
  t.like(Config, { Env: [{ Value: '3' }], Args: { Value: ['--quiet'] } });
  await ask(daemon, 'POST', `/plugins/${plugin}/disable`);
  await ask(daemon, 'DELETE', `/plugins/${plugin}`);
});

/** Of the only plugin: its control group, and its first process below /proc. */
async function placeOf(daemon: Daemon): Promise<{ readonly group: string; readonly proc: string }> {
  const top = path.join('/sys/fs/cgroup/pids', daemon.name);
  const [group = ''] = (await readdir(top)).filter((name) => name.startsWith('plugin-'));
  const [pid = ''] = (await readFile(path.join(top, group, 'cgroup.procs'), 'utf8')).split('\n');
  return { group, proc: path.join('/proc', pid) };
}

const namespaces = ['net', 'ipc', 'pid', 'mnt', 'uts'] as const;

test.serial('a plugin has exactly the privileges of its manifest', async (t) => {
  const { daemon, plugin } = await start(t, {
    network: { type: 'none' },
    ipcHost: true,
    linux: { capabilities: ['CAP_SYS_TIME'], devices: [{ path: '/dev/kmsg' }] },
    env: [{ name: 'LEVEL', value: '3' }],
    args: { value: ['--quiet'] },
    mounts: [
      { type: 'tmpfs', destination: '/tmp' },
      { type: 'bind', source: '/etc', destination: '/mnt', options: ['bind', 'ro'] },
    ],
  });
  const privileges: { Name: string }[] = JSON.parse(await ask(daemon, 'POST', `/plugins/pull?name=${plugin}`));
  const named = privileges.map(({ Name }) => Name);
  t.deepEqual([...new Set(named)], ['host ipc namespace', 'mount', 'device', 'capabilities']);
  await ask(daemon, 'POST', `/plugins/${plugin}/enable`);
  const { group, proc } = await placeOf(daemon);
  const read = (file: string) => readFile(path.join(proc, file), 'utf8');
  t.is(await read('cmdline'), [process.execPath, '/app/main.js', '--quiet', ''].join('\0'));
  const environment = (await read('environ')).split('\0').filter((entry) => !/^(PATH|HOME|HOSTNAME)=/.test(entry));
  t.deepEqual(environment, ['LEVEL=3', '']);
  const status = await read('status');
  // The fourteen of every container, and CAP_SYS_TIME.
  t.is(BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1]}`), 0xa80425fbn | (1n << 25n));
  t.regex(status, /^NoNewPrivs:\s*1$/m);
  const shared = await Promise.all(
    namespaces.map(async (kind) => {
      const [own, ours] = await Promise.all(
        ['', '/proc/self'].map((at) => readlink(path.join(at || proc, 'ns', kind))),
      );
      return own === ours;
    }),
  );
  t.deepEqual(
    namespaces.filter((_, index) => shared[index]),
    ['ipc'],
  );
  const mounts = (await read('mounts')).split('\n').map((line) => line.split(' '));
  const places = mounts.flatMap(([, place = '', type]) => (type === undefined ? [] : [place]));
  const given = places.filter((place) => !/^\/(proc|sys|dev)(\/|$)/.test(place));
  t.deepEqual(given.filter((place) => !/^\/(bin|lib|lib64|usr)(\/|$)/.test(place)).sort(), [
    '/',
    '/mnt',
    '/run/docker/logging',
    '/run/docker/plugins',
    '/tmp',
  ]);
  t.regex(mounts.find(([, place]) => place === '/mnt')?.[3] ?? '', /^ro\b/);
  const devices = await readFile(`/sys/fs/cgroup/devices/${daemon.name}/${group}/devices.list`, 'utf8').catch(() => '');
  if (devices !== '') {
    t.regex(devices, /^c 1:11 rwm$/m);
    t.notRegex(devices, /^a|^b .* r/m);
  }
  await uninstall(daemon, plugin);
});

test.serial('a plugin of another user than root creates its socket and reads its log FIFOs', async (t) => {
  const { daemon, plugin } = await start(t, {
    user: { uid: 1234, gid: 1235 },
    mounts: [{ type: 'tmpfs', destination: '/data', options: ['mode=1777'] }],
  });
  await install(daemon, plugin);
  const { proc } = await placeOf(daemon);
  const status = await readFile(path.join(proc, 'status'), 'utf8');
  t.regex(status, /^Uid:\s*1234\b[\s\S]*^Gid:\s*1235\b[\s\S]*^CapEff:\s*0+$/m);
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: ['echo', 'heard'],
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: plugin, Config: {} } },
  });
  await container.start();
  await container.wait();
  t.regex(await logOf(container), /heard/);
  await container.remove();
  await uninstall(daemon, plugin);
});

test.serial('a plugin that fails to start stays disabled, and the error names the reason', async (t) => {
  const { daemon, plugin } = await start(t, { entrypoint: ['/no/such/program'] });
  await ask(daemon, 'POST', `/plugins/pull?name=${plugin}`);
  // The directory of its data belongs to the name, and stays until the plugin is removed.
  const state = async () => (await hostState(daemon)).filter((line) => !line.endsWith('/managed-plugins/data'));
  const before = await state();
  await t.throwsAsync(ask(daemon, 'POST', `/plugins/${plugin}/enable`), { message: /: 500 .*no\/such\/program/ });
  t.like(JSON.parse(await ask(daemon, 'GET', `/plugins/${plugin}`)), { Active: false });
  t.deepEqual(await state(), before);
  await ask(daemon, 'DELETE', `/plugins/${plugin}`);
});

test.serial('plugins survive the daemon and are restarted after a reboot', async (t) => {
  const { daemon, plugin } = await start(t);
  await install(daemon, plugin);
  const used = await use(daemon, plugin, ['sleep', '1000']);
  await daemon.crash();
  await daemon.restart();
  t.true((await used.container.inspect()).State.Running);
  t.like(JSON.parse(await ask(daemon, 'GET', '/volumes/data')), { Driver: `${plugin}:latest` });
  await daemon.reboot();
  t.like(JSON.parse(await ask(daemon, 'GET', `/plugins/${plugin}`)), { Active: true });
  t.like(JSON.parse(await ask(daemon, 'GET', '/volumes/data')), { Driver: `${plugin}:latest` });
  await used.remove();
  await uninstall(daemon, plugin);
});

for (const propagatedMount of ['', '/data']) {
  test.serial(
    `data of a plugin outlives upgrade and removal, with the propagated mount "${propagatedMount}"`,
    async (t) => {
      const daemon = await startDaemon(t);
      const registry = await startStubRegistry(t);
      const push = (version: string, more = {}) =>
        pushExamplePlugin(registry, { propagatedMount, env: [{ name: 'VERSION', value: version }], ...more });
      const plugin = await push('1');
      await install(daemon, plugin);
      const print = async (...Cmd: string[]) => {
        const HostConfig = { Binds: ['data:/data'], NetworkMode: 'none' };
        const container = await daemon.client.createContainer({ Image: 'busybox', Cmd, HostConfig });
        await container.start();
        await container.wait();
        const output = await logOf(container);
        await container.remove();
        return output;
      };
      const version = async () =>
        (JSON.parse(await ask(daemon, 'GET', `/plugins/${plugin}`)) as PluginAnswer).Config.Env;
      await daemon.client.createVolume({ Name: 'data', Driver: plugin });
      await print('sh', '-c', 'echo kept >/data/file');
      await push('2');
      await t.throwsAsync(ask(daemon, 'POST', `/plugins/${plugin}/upgrade`), { message: / 409 .*disable it/ });

      // The documented way of older clients.
      await uninstall(daemon, plugin);
      const before = await print('cat', '/data/file').catch((error: Error) => error.message);
      t.regex(before, /plugin|driver/, 'no empty volume takes its place meanwhile');
      await install(daemon, plugin);
      t.deepEqual(await version(), ['VERSION=2']);
      t.regex(await print('cat', '/data/file'), /kept/);

      // The upgrade verb.
      await push('3', { linux: { capabilities: ['CAP_SYS_TIME'] } });
      await ask(daemon, 'POST', `/plugins/${plugin}/disable`);
      await t.throwsAsync(ask(daemon, 'POST', `/plugins/${plugin}/upgrade?remote=${plugin}`), {
        message: / 403 .*capabilities \[CAP_SYS_TIME\]/,
      });
      t.deepEqual(await version(), ['VERSION=2']);
      await push('4');
      await ask(daemon, 'POST', `/plugins/${plugin}/upgrade?remote=${plugin}`);
      t.deepEqual(await version(), ['VERSION=4']);
      await ask(daemon, 'POST', `/plugins/${plugin}/enable`);
      t.regex(await print('cat', '/data/file'), /kept/);

      await daemon.client.getVolume('data').remove();
      await ask(daemon, 'POST', `/plugins/${plugin}/disable`);
      await ask(daemon, 'DELETE', `/plugins/${plugin}?data=1`);
      const left = (await hostState(daemon)).filter((line) => /managed-plugins\/data\/./.test(line));
      t.deepEqual(left, []);
    },
  );
}

interface PluginAnswer {
  readonly Config: { readonly Env: readonly string[] };
}

test.serial('replacing a plugin 20 times under load leaves nothing behind and fails no request', async (t) => {
  t.timeout(300_000);
  const { daemon, plugin } = await start(t);
  await install(daemon, plugin);
  await uninstall(daemon, plugin);
  const before = await hostState(daemon);
  const load = new AbortController();
  let requests = 0;
  const failures: unknown[] = [];
  const loading = (async () => {
    for (; !load.signal.aborted; requests++) {
      await Promise.all([ask(daemon, 'GET', '/volumes'), ask(daemon, 'GET', '/containers/json')]).catch((error) =>
        failures.push(error),
      );
      await delay(20);
    }
  })();
  for (let round = 0; round < 20; round++) {
    await install(daemon, plugin);
    await daemon.client.createVolume({ Name: 'data', Driver: plugin });
    await daemon.client.getVolume('data').remove();
    await uninstall(daemon, plugin);
  }
  load.abort();
  await loading;
  t.deepEqual(failures, []);
  t.true(requests > 20);
  t.deepEqual(await hostState(daemon), before);
});
