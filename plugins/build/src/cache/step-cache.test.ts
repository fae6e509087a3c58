import test from 'ava';
import { canonical } from './canonical.js';
import { StepCache } from './step-cache.js';

test('configurations are equal regardless of the order of fields and of empty fields', (t) => {
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
  const cache = new StepCache(exchange, { has: () => false });
  t.is(cache.find('base', step), 'new');
  t.is(cache.find('base', { Cmd: ['other'] }), undefined);
});

test('without a parent only images made by builds of this engine are taken', (t) => {
  const exchange = { childrenOf: () => [image('loaded', '2022'), image('built', '2020')] };
  const cache = new StepCache(exchange, { has: (id) => id === 'built' });
  t.is(cache.find(undefined, step), 'built');
});
