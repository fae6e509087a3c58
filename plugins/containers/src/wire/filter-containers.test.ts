import { EngineError } from '@gantry/core/errors';
import { Query } from '@gantry/core/http';
import test from 'ava';
import type { ContainerRecord, MountPoint } from '../record.js';
import { endpoint, live, lookupOf, recordWith, run, running, wireWith } from '../testing/wire-fixture.js';
import type { FilterContext } from './list-query.js';

const paused: ContainerRecord['state'] = {
  status: 'paused',
  pid: 4711,
  startedAt: '2024-01-01T02:00:00.000000000Z',
};

let made = 0;
function container(name: string, changes: Partial<ContainerRecord> = {}): ContainerRecord {
  made += 1;
  return recordWith({
    id: String(made).repeat(64).slice(0, 64),
    name,
    createdAt: `2024-01-01T00:00:0${made}.000000000Z`,
    config: {},
    hostConfig: {},
    ...changes,
  });
}

const volume = { type: 'volume', name: 'data', destination: '/var/data' } as MountPoint;
const records = [
  container('one'),
  container('two', { state: running, config: { Labels: { a: '1', b: '2' }, ExposedPorts: { '80/tcp': {} } } }),
  container('web-1', { state: paused, networks: { front: { networkId: 'f'.repeat(64) } } }),
  container('web-2', { state: { status: 'exited', last: run() }, imageId: 'sha256:2', mounts: [volume] }),
  container('loop', { state: { status: 'restarting', last: run(), delayMs: 100 }, config: { Labels: { a: '2' } } }),
];
const everyone = 'loop web-2 web-1 two one';

const context: FilterContext = {
  containers: lookupOf(...records),
  descendants: (reference) => new Set(reference === 'base' ? ['sha256:2', 'sha256:3'] : []),
  live: ({ name }) =>
    name === 'two'
      ? live({
          health: { status: 'healthy', failingStreak: 0, log: [] },
          endpoints: [endpoint({ ports: [{ protocol: 'tcp', containerPort: 80, hostIp: '0.0.0.0', hostPort: 8080 }] })],
        })
      : live(),
};

function list(query: Record<string, unknown>): string {
  const text = Object.entries(query).map(([name, value]) => {
    const word = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `${name}=${encodeURIComponent(word)}`;
  });
  const wire = wireWith();
  const found = wire.filterContainers(records, wire.parseList(new Query(text.join('&'))), context);
  return found.map(({ name }) => name).join(' ');
}

const filtered = (filters: Record<string, string[]>): string => list({ all: 1, filters });

for (const [query, names] of [
  [{}, 'loop web-1 two'],
  [{ all: 1 }, everyone],
  [{ all: 'false' }, 'loop web-1 two'],
  [{ limit: 2 }, 'loop web-2'],
  [{ limit: 0 }, 'loop web-1 two'],
  [{ limit: -1 }, 'loop web-1 two'],
  [{ limit: 1, filters: { label: ['a=1'] } }, 'two'],
  [{ since: 'web-1' }, 'loop web-2'],
  [{ before: 'two' }, 'one'],
  [{ since: 'one', before: 'loop', limit: 2 }, 'web-2 web-1'],
  [{ filters: { status: ['exited', 'created'] } }, 'web-2 one'],
  [{ filters: { exited: ['3'] } }, 'web-2'],
] as const) {
  test(`the list of ${JSON.stringify(query)}`, (t) => {
    t.is(list(query), names);
  });
}

for (const [filters, names] of [
  [{ status: ['running'] }, 'two'],
  [{ status: ['paused', 'restarting'] }, 'loop web-1'],
  [{ status: ['dead'] }, ''],
  [{ exited: ['3'] }, 'web-2'],
  [{ exited: ['0'] }, ''],
  [{ label: ['a'] }, 'loop two'],
  [{ label: ['a=2'] }, 'loop'],
  [{ label: ['a', 'b=2'] }, 'two'],
  [{ name: ['web'] }, 'web-2 web-1'],
  [{ name: ['/web-1'] }, 'web-1'],
  [{ name: ['^/?(one|two)$'] }, 'two one'],
  [{ name: ['^/one$', '^two$'] }, 'two one'],
  [{ id: ['111111111111'] }, 'one'],
  [{ id: ['^4+$'] }, 'web-2'],
  [{ ancestor: ['base'] }, 'web-2'],
  [{ ancestor: ['nosuch'] }, ''],
  [{ volume: ['data'] }, 'web-2'],
  [{ volume: ['/var/data', 'x'] }, 'web-2'],
  [{ network: ['front'] }, 'web-1'],
  [{ network: ['f'.repeat(64)] }, 'web-1'],
  [{ network: ['f'.repeat(12)] }, 'web-1'],
  [{ network: ['f'] }, ''],
  [{ before: ['web-1'] }, 'two one'],
  [{ since: ['web-1'] }, 'loop web-2'],
  [{ health: ['healthy'] }, 'two'],
  [{ health: ['none'] }, 'loop web-2 web-1 one'],
  [{ isolation: ['default'] }, everyone],
  [{ isolation: ['hyperv'] }, ''],
  [{ publish: ['8080'] }, 'two'],
  [{ publish: ['8000-9000/tcp'] }, 'two'],
  [{ publish: ['8080/udp'] }, ''],
  [{ expose: ['80/tcp'] }, 'two'],
  [{ expose: ['81'] }, ''],
  [{ 'is-task': ['false'] }, everyone],
  [{ 'is-task': ['true'] }, ''],
  [{ label: ['a'], status: ['running'] }, 'two'],
] as readonly (readonly [Record<string, string[]>, string])[]) {
  test(`the filter ${JSON.stringify(filters)}`, (t) => {
    t.is(filtered(filters), names);
  });
}

test('filters may be maps of maps', (t) => {
  t.is(list({ all: 1, filters: { label: { a: true } } }), 'loop two');
});

for (const [query, words] of [
  [{ limit: 'x' }, 'limit: "x" is not an integer'],
  [{ filters: { nosuch: ['x'] } }, "Invalid filter 'nosuch'"],
  [{ filters: { status: ['nosuch'] } }, "Invalid filter 'status=nosuch'"],
  [{ filters: { exited: ['x'] } }, "Invalid filter 'exited=x'"],
  [{ filters: { isolation: ['x'] } }, "Invalid filter 'isolation=x'"],
  [{ filters: { health: ['x'] } }, "Invalid filter 'health=x'"],
  [{ filters: { publish: ['x'] } }, "Invalid filter 'publish=x'"],
  [{ filters: { expose: ['9-8'] } }, "Invalid filter 'expose=9-8'"],
  [{ filters: { 'is-task': ['x'] } }, "Invalid filter 'is-task=x'"],
  [{ filters: { name: ['('] } }, "Invalid filter 'name=('"],
  [{ filters: { name: ['(a+)+$'] } }, "Invalid filter 'name=(a+)+$'"],
  [{ filters: { before: ['nosuch'] } }, "Invalid filter 'before=nosuch': No such container: nosuch"],
  [{ since: 'nosuch' }, "Invalid filter 'since=nosuch': No such container: nosuch"],
] as const) {
  test(`refused: ${JSON.stringify(query)}`, (t) => {
    const error = t.throws(() => list(query), { message: words });
    t.true(EngineError.is(error) && error.kind === 'invalid-argument');
  });
}
