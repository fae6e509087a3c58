import test from 'ava';
import { canonical, findMade } from './cache.js';

test('configurations are equal whatever the order of their fields and what is empty', (t) => {
  const one = { Cmd: ['a'], Env: ['B=1'], Labels: { x: '1', y: '2' }, Hostname: 'one', Tty: false };
  const other = { Labels: { y: '2', x: '1' }, Env: ['B=1'], Cmd: ['a'], Volumes: {}, User: '', Hostname: 'other' };
  t.is(canonical(one), canonical(other));
  t.not(canonical(one), canonical({ ...other, Cmd: ['b'] }));
  t.not(canonical(one), canonical({ ...other, Volumes: { '/v': {} } }));
});

const step = { Cmd: ['/bin/sh', '-c', '#(nop) ', 'LABEL a=b'] };
const image = (id: string, created: string) => ({ id, config: {}, containerConfig: step, created });

test('the newest of several equal images is taken', (t) => {
  const exchange = { childrenOf: () => [image('old', '2020'), image('new', '2021'), image('mid', '2020-06')] };
  const parts = { exchange, firsts: { has: () => false } } as never;
  t.is(findMade(parts, 'base', step), 'new');
  t.is(findMade(parts, 'base', { Cmd: ['other'] }), undefined);
});

test('on top of nothing only what a build made here counts', (t) => {
  const exchange = { childrenOf: () => [image('loaded', '2022'), image('built', '2020')] };
  const parts = { exchange, firsts: { has: (id: string) => id === 'built' } } as never;
  t.is(findMade(parts, undefined, step), 'built');
});
