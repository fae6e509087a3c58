import test from 'ava';
import { targetOf } from './target-of.js';

test('values fill the path, encoded, and the query', (t) => {
  const query = { all: true, names: ['a', 'b c'], filters: { label: ['x=y'] }, limit: 3, absent: undefined };
  t.deepEqual(targetOf('GET /images/{name}/json', { name: 'host:5000/a b' }, query), {
    method: 'GET',
    target:
      '/images/host%3A5000%2Fa%20b/json?all=true&names=a&names=b+c&filters=%7B%22label%22%3A%5B%22x%3Dy%22%5D%7D&limit=3',
  });
  t.deepEqual(targetOf('GET /info', {}, {}), { method: 'GET', target: '/info' });
});

test('a value that is missing is an error that names it', (t) => {
  t.throws(() => targetOf('GET /networks/{id}', {}, {}), { message: 'GET /networks/{id}: id is missing' });
  t.throws(() => targetOf('GET /networks/{id}', { id: '' }, {}), { instanceOf: TypeError });
});
