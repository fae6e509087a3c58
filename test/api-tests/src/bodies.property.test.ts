import { fc } from '@gantry/property-testing';
import test from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

// Every case is a few requests, so there are fewer of them.
fc.configureGlobal({ numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 300) / 3) });

const text = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '..',
    '/../x',
    '__proto__',
    'constructor',
    'a=b',
    '0',
    '-1',
    '80/tcp',
    '1-2:3/udp',
    ':',
    '\0',
  ),
  fc.constantFrom(
    'host',
    'none',
    'container:x',
    'service:x',
    'always',
    '10.0.0.0/8',
    '::1',
    '/a:/b:ro',
    'v:/c:z,rw',
    '1g',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1e15, 2 ** 53, 4_194_304));
const texts = fc.array(text, { maxLength: 3 });
const map = fc.dictionary(text, text, { maxKeys: 3 });
const empties = fc.dictionary(text, fc.constant({}), { maxKeys: 3 });
const bindings = fc.dictionary(text, fc.array(fc.record({ HostIp: text, HostPort: text }), { maxLength: 2 }), {
  maxKeys: 3,
});
const endpoint = fc.record(
  { IPAMConfig: fc.record({ IPv4Address: text }), Aliases: texts, Links: texts },
  { requiredKeys: [] },
);
const some = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] });
/** Mostly what a field is meant to be, sometimes something else. */
const wild = <T>(meant: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 12, arbitrary: meant as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );

const hostConfig = some({
  Binds: wild(texts),
  Memory: wild(number),
  MemorySwap: wild(number),
  CpuShares: wild(number),
  NetworkMode: wild(text),
  IpcMode: wild(text),
  PidMode: wild(text),
  UTSMode: wild(text),
  RestartPolicy: wild(some({ Name: text, MaximumRetryCount: number })),
  PortBindings: wild(bindings),
  Links: wild(texts),
  Dns: wild(texts),
  ExtraHosts: wild(texts),
  VolumesFrom: wild(texts),
  CapAdd: wild(texts),
  SecurityOpt: wild(texts),
  Tmpfs: wild(map),
  Sysctls: wild(map),
  StorageOpt: wild(map),
  Ulimits: wild(fc.array(some({ Name: text, Soft: number, Hard: number }), { maxLength: 2 })),
  Devices: wild(fc.array(some({ PathOnHost: text, PathInContainer: text, CgroupPermissions: text }), { maxLength: 2 })),
  LogConfig: wild(some({ Type: text, Config: map })),
  ShmSize: wild(number),
  OomScoreAdj: wild(number),
  GroupAdd: wild(texts),
  CgroupParent: wild(text),
});

const container = some({
  Hostname: wild(text),
  User: wild(text),
  Env: wild(texts),
  Cmd: wild(fc.oneof(text, texts)),
  Entrypoint: wild(fc.oneof(text, texts)),
  WorkingDir: wild(text),
  Labels: wild(map),
  Volumes: wild(empties),
  ExposedPorts: wild(empties),
  StopSignal: wild(text),
  MacAddress: wild(text),
  Healthcheck: wild(some({ Test: texts, Interval: number, Retries: number })),
  HostConfig: wild(hostConfig),
  NetworkingConfig: wild(some({ EndpointsConfig: fc.dictionary(text, endpoint, { maxKeys: 2 }) })),
});

const network = some({
  Name: wild(text),
  Driver: wild(fc.oneof(text, fc.constantFrom('memory', 'bridge'))),
  IPAM: wild(
    some({ Driver: text, Config: fc.array(some({ Subnet: text, Gateway: text, IPRange: text }), { maxLength: 2 }) }),
  ),
  Options: wild(map),
  Labels: wild(map),
  Internal: wild(fc.boolean()),
});

/** The document answers a driver that does not exist with 500. */
const volumeDriver = fc.constantFrom('', 'memory');
const volume = some({ Name: wild(text), Driver: volumeDriver, DriverOpts: wild(map), Labels: wild(map) });
const command = some({
  Cmd: wild(texts),
  Env: wild(texts),
  User: wild(text),
  DetachKeys: wild(text),
  Tty: wild(fc.boolean()),
});

/** Answers that say what is wrong: JSON with a message, and no fault of the engine's own. */
async function answered(api: ApiEngine, path: string, body: unknown): Promise<string | undefined> {
  const answer = await api.ask('POST', path, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { Id, Name, message } = answer.json<{ Id?: string; Name?: string; message?: string }>();
  if (answer.status < 300) return Id ?? Name;
  if (answer.status >= 500 && answer.status !== 501) throw new Error(`${path}: ${answer.status} ${message}`);
  if (typeof message !== 'string' || message === '') throw new Error(`${path}: ${answer.status} without a message`);
  return undefined;
}

test('whatever a body says, the answer is a container that can be looked at, or says what is wrong', async (t) => {
  const api = await startApi(t);
  await fc.assert(
    fc.asyncProperty(container, async (body) => {
      const id = await answered(api, '/containers/create', { Image: 'busybox', ...body });
      if (id === undefined) return;
      await api.inspect(id);
      await answered(api, `/containers/${id}/update`, body.HostConfig ?? {});
      if ((await api.get('/containers/json?all=1')).status !== 200) throw new Error('the list fails');
      const { status } = await api.delete(`/containers/${id}?force=1&v=1`);
      if (status !== 204) throw new Error(`removed with ${status}`);
    }),
  );
  t.pass();
});

test('the same goes for networks, volumes and processes', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sleep'] });
  await fc.assert(
    fc.asyncProperty(network, volume, command, async (asked, kept, run) => {
      const made = await answered(api, '/networks/create', asked);
      if (made !== undefined) await api.delete(`/networks/${made}`);
      const name = await answered(api, '/volumes/create', kept);
      if (name !== undefined) await api.delete(`/volumes/${encodeURIComponent(name)}`);
      await answered(api, `/containers/${id}/exec`, run);
    }),
  );
  t.pass();
});

test('queries of any kind are answered or refused', async (t) => {
  const api = await startApi(t);
  const paths = fc.constantFrom(
    ...['/containers/json', '/images/json', '/networks', '/volumes', '/events', '/containers/x/logs', '/info'],
  );
  const names = fc.constantFrom('all', 'limit', 'size', 'since', 'before', 'filters', 'until', 'tail', 'filter');
  const filters = fc
    .dictionary(fc.oneof(text, fc.constantFrom('label', 'name', 'status')), texts)
    .map((value) => JSON.stringify(value));
  await fc.assert(
    fc.asyncProperty(paths, fc.dictionary(names, fc.oneof(text, filters), { maxKeys: 4 }), async (path, query) => {
      // An end in the past, or the stream of events has none.
      const search = new URLSearchParams({ ...query, ...(path === '/events' && { until: '1' }) });
      const { status, text: words } = await api.get(`${path}?${search}`);
      if (status >= 500) throw new Error(`${path}?${search}: ${status} ${words}`);
    }),
  );
  t.pass();
});
