import test from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

interface Summary {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly ImageID: string;
  readonly Command: string;
  readonly Created: number;
  readonly State: string;
  readonly Status: string;
  readonly Labels: object;
  readonly SizeRootFs?: number;
}

const sleeping = { Cmd: ['sleep', '300'] };

async function list(api: ApiEngine, query = ''): Promise<readonly Summary[]> {
  const answer = await api.get(`/containers/json?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json<Summary[]>();
}

const filters = (value: object): string => `all=1&filters=${encodeURIComponent(JSON.stringify(value))}`;

/** `ended`, `running`, `created` and `paused`, made in that order. */
async function four(api: ApiEngine): Promise<void> {
  await api.runToEnd({ Cmd: ['false'], Labels: { tier: 'batch' } }, 'ended');
  await api.run({ ...sleeping, Labels: { tier: 'web' } }, 'running');
  await api.create({ Cmd: ['true'], HostConfig: { Binds: ['data:/d'] } }, 'created');
  const paused = await api.run(sleeping, 'paused');
  await api.post(`/containers/${paused}/pause`);
}

const names = async (api: ApiEngine, query?: string): Promise<readonly string[]> =>
  (await list(api, query)).map(({ Names }) => Names.join());

test('the list has running containers, all of them when asked, newest first', async (t) => {
  const api = await startApi(t);
  await four(api);
  t.deepEqual(await names(api), ['/paused', '/running']);
  t.deepEqual(await names(api, 'all=1'), ['/paused', '/created', '/running', '/ended']);
  t.deepEqual(await names(api, 'limit=3'), ['/paused', '/created', '/running']);
  t.deepEqual(await names(api, 'since=running'), ['/paused', '/created']);
  t.deepEqual(await names(api, 'before=created'), ['/running', '/ended']);
});

test('an item has the fields that clients print', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sleep', '300'], Labels: { a: '1' } }, 'web');
  const [item] = await list(api, 'size=1');
  t.like(item, {
    Id: id,
    Names: ['/web'],
    Image: 'busybox',
    Command: 'sleep 300',
    State: 'running',
    Labels: { a: '1' },
  });
  t.regex(item?.ImageID ?? '', /^sha256:/);
  t.regex(item?.Status ?? '', /^Up /);
  t.true(Math.abs((item?.Created ?? 0) - Date.now() / 1000) < 60);
  t.is(typeof item?.SizeRootFs, 'number');
});

test('filters choose by state, code, label, name, image, volume and network', async (t) => {
  const api = await startApi(t);
  await four(api);
  for (const [filter, expected] of [
    [{ status: ['exited'] }, ['/ended']],
    [{ status: ['created', 'paused'] }, ['/paused', '/created']],
    [{ exited: ['1'] }, ['/ended']],
    [{ label: ['tier'] }, ['/running', '/ended']],
    [{ label: ['tier=web'] }, ['/running']],
    [{ name: ['run'] }, ['/running']],
    [{ ancestor: ['busybox'], status: ['running'] }, ['/running']],
    [{ ancestor: ['gone'] }, []],
    [{ volume: ['data'] }, ['/created']],
    [{ volume: ['/d'] }, ['/created']],
    [{ network: ['bridge'], status: ['created'] }, ['/created']],
    [{ since: ['running'] }, ['/paused', '/created']],
    [{ before: ['running'] }, ['/ended']],
  ] as const) {
    t.deepEqual(await names(api, filters(filter)), expected, JSON.stringify(filter));
  }
});

test('a filter that cannot be meant is refused', async (t) => {
  const api = await startApi(t);
  for (const filter of [{ nosuch: ['x'] }, { status: ['x'] }, { exited: ['x'] }]) {
    t.is((await api.get(`/containers/json?${filters(filter)}`)).status, 400, JSON.stringify(filter));
  }
});

test('a container is found by name, id and unique prefix', async (t) => {
  const api = await startApi(t);
  const id = await api.create({}, 'web');
  for (const reference of ['web', id, id.slice(0, 12)]) t.is((await api.inspect(reference)).Id, id);
});

test('top shows the processes of a container', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const top = (await api.get(`/containers/${id}/top`)).json<{ Titles: string[]; Processes: string[][] }>();
  t.true(top.Titles.includes('PID'));
  t.is(top.Processes.length, 1);
});

test('statistics come once when they are not streamed', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const answer = await api.get(`/containers/${id}/stats?stream=0`);
  t.is(answer.lines().length, 1);
  t.true('memory_stats' in answer.json());
});

test('info counts containers by state', async (t) => {
  const api = await startApi(t);
  await four(api);
  t.like((await api.get('/info')).json(), {
    Containers: 4,
    ContainersRunning: 1,
    ContainersPaused: 1,
    ContainersStopped: 2,
    Images: 1,
  });
});
