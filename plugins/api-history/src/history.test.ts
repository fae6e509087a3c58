import type { Query, Route } from '@gantry/core/http';
import test from 'ava';
import { History } from './history.js';
import { add, at, each, eachValue, remove } from './shapes.js';
import { step } from './step.js';
import { versionSteps } from './version-steps.js';

const route = (method: string, path: string) => ({ method, path }) as Route;

const append = (text: string) => (value: unknown) => `${value}${text}`;

const steps = [
  step('1.30', { 'GET /a': { answer: append(' before 1.30'), lacks: ['wait'] } }),
  step('1.40', { 'GET /a': { answer: append(' before 1.40'), body: append(' since 1.40'), lacks: ['sleep'] } }),
  step('1.50', { 'GET /a': { body: append(' since 1.50') }, 'GET /b': { item: append('!') } }),
];

test('answers go from the newest version to the oldest, bodies from the oldest to the newest', (t) => {
  const found = new History(steps).of(route('GET', '/a'), '1.24');
  t.is(found?.answer?.('answer'), 'answer before 1.40 before 1.30');
  t.is(found?.body?.('body'), 'body since 1.40 since 1.50');
  t.deepEqual([...(found?.lacks ?? [])], ['wait', 'sleep']);
});

test('a version sees only the steps after it', (t) => {
  const found = new History(steps).of(route('GET', '/a'), '1.30');
  t.is(found?.answer?.('answer'), 'answer before 1.40');
  t.deepEqual([...(found?.lacks ?? [])], ['sleep']);
  t.is(found?.item, undefined);
});

test('at the newest version, and at routes that never changed, there is nothing to do', (t) => {
  const history = new History(steps);
  t.is(history.of(route('GET', '/a'), '1.51'), undefined);
  t.is(history.of(route('GET', '/c'), '1.24'), undefined);
});

test('errors have the statuses of the oldest step that changes them', (t) => {
  const history = new History([
    step('1.30', { 'GET /a': { statuses: { conflict: 500 } } }),
    step('1.40', { 'GET /a': { statuses: { conflict: 409, unavailable: 500 } } }),
  ]);
  t.deepEqual(history.of(route('GET', '/a'), '1.24')?.statuses, { conflict: 500, unavailable: 500 });
  t.deepEqual(history.of(route('GET', '/a'), '1.30')?.statuses, { conflict: 409, unavailable: 500 });
});

test('operations of swarms answer 406 outside of one to clients before 1.25', (t) => {
  const history = new History(versionSteps);
  for (const [method, path] of [
    ['GET', '/swarm'],
    ['POST', '/services/:id/update'],
    ['GET', '/tasks/:id/logs'],
    ['DELETE', '/nodes/:id'],
  ] as const) {
    t.is(history.of(route(method, path), '1.24')?.statuses['not-acceptable'], 406, path);
    t.is(history.of(route(method, path), '1.25')?.statuses['not-acceptable'], undefined, path);
  }
});

test('the steps of a route and a version are composed once', (t) => {
  const history = new History(steps);
  const a = route('GET', '/a');
  t.is(history.of(a, '1.24'), history.of(a, '1.24'));
  t.not(history.of(a, '1.24'), history.of(a, '1.40'));
});

test('queries and heads are changed by all steps', (t) => {
  const seen: string[] = [];
  const note = (text: string) => () => void seen.push(text);
  const history = new History([
    step('1.30', { 'GET /a': { query: note('query 1.30'), head: note('head 1.30') } }),
    step('1.40', { 'GET /a': { query: note('query 1.40'), head: note('head 1.40') } }),
  ]);
  const found = history.of(route('GET', '/a'), '1.24');
  found?.query?.({} as Query);
  found?.head?.({} as never);
  t.deepEqual(seen, ['query 1.30', 'query 1.40', 'head 1.40', 'head 1.30']);
});

test('clients before 1.25 see the names of security options without attributes', (t) => {
  const info = { SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'] };
  const history = new History(versionSteps);
  t.like(history.of(route('GET', '/info'), '1.24')?.answer?.(info), { SecurityOptions: ['seccomp', 'cgroupns'] });
  t.like(history.of(route('GET', '/info'), '1.25')?.answer?.(info), info);
});

const bind = (BindOptions: object) => ({ HostConfig: { Mounts: [{ Type: 'bind', Source: '/a', BindOptions }] } });

for (const [version, since, sent, arrived] of [
  ['1.39', '1.40', bind({ NonRecursive: true }), bind({})],
  ['1.41', '1.42', bind({ CreateMountpoint: true }), bind({})],
  ['1.41', '1.42', { HostConfig: { ConsoleSize: [10, 20] } }, { HostConfig: {} }],
  [
    ...['1.41', '1.42'],
    { HostConfig: { Mounts: [{ Type: 'tmpfs', VolumeOptions: { NoCopy: true }, TmpfsOptions: { Mode: 1 } }] } },
    { HostConfig: { Mounts: [{ Type: 'tmpfs', TmpfsOptions: { Mode: 1 } }] } },
  ],
  [
    ...['1.41', '1.42'],
    { HostConfig: { Mounts: [{ Type: 'volume', VolumeOptions: { NoCopy: true }, TmpfsOptions: {} }] } },
    { HostConfig: { Mounts: [{ Type: 'volume', VolumeOptions: { NoCopy: true } }] } },
  ],
  [
    ...['1.43', '1.44'],
    { NetworkingConfig: { EndpointsConfig: { front: { MacAddress: '02:00:00:00:00:07', Aliases: ['a'] } } } },
    { NetworkingConfig: { EndpointsConfig: { front: { Aliases: ['a'] } } } },
  ],
] as const) {
  test(`of ${JSON.stringify(sent)} clients at ${version} get what their version had`, (t) => {
    const history = new History(versionSteps);
    const creation = route('POST', '/containers/create');
    t.deepEqual(history.of(creation, version)?.body?.(sent), arrived);
    t.deepEqual(history.of(creation, since)?.body?.(sent) ?? sent, sent);
  });
}

test('clients before 1.49 do not see the firewall', (t) => {
  const history = new History(versionSteps);
  const seenBy = (version: string) =>
    history.of(route('GET', '/info'), version)?.answer?.({ FirewallBackend: { Driver: 'nftables' } });
  t.like(seenBy('1.49'), { FirewallBackend: { Driver: 'nftables' } });
  t.false('FirewallBackend' in Object(seenBy('1.48')));
});

test('changes return copies', (t) => {
  const given = Object.freeze({ list: Object.freeze([Object.freeze({ a: 1, b: 2 })]), map: Object.freeze({ x: {} }) });
  const changed = at('map', eachValue(add({ c: 3 })))(at('list', each(remove('a')))(given));
  t.deepEqual(changed, { list: [{ b: 2 }], map: { x: { c: 3 } } });
  t.deepEqual(given, { list: [{ a: 1, b: 2 }], map: { x: {} } });
});

test('a change of a member that is not there changes nothing', (t) => {
  t.deepEqual(at('gone', add({ a: 1 }))({ b: 1 }), { b: 1 });
  t.deepEqual(at('empty', add({ a: 1 }))({ empty: null }), { empty: null });
  t.is(add({ a: 1 })('text'), 'text');
});

test('the steps are in the order of their versions, one for each', (t) => {
  const versions = versionSteps.map(({ version }) => version);
  t.deepEqual(versions, [...new Set(versions)].sort());
});
