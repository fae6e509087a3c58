import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { queriesAreDescribed } from './described-queries.js';

const check = (operations: string, routes: string) =>
  queriesAreDescribed.check(treeOf({ 'plugins/a/src/operations.ts': operations, 'plugins/a/src/routes.ts': routes }));

test('a parameter that is described is fine, also one with a dash or in short', (t) => {
  const operations = "{ query: { all: flag('x'), 'one-shot': flag('x'), path, filters: filters(keys) } }";
  const routes = "query.boolean('all'); queryOf(ctx).boolean('one-shot'); query.string('path'); query.filters(keys);";
  t.deepEqual(check(operations, routes), []);
});

test('a parameter that is read and not described is a breach', (t) => {
  t.deepEqual(check('{ query: { all: flag } }', "query.boolean('all'); query.integer('limit', { min: 0 });"), [
    'plugins/a/src/routes.ts: the parameter "limit" is in no operations.ts of the package',
  ]);
  t.is(check('{ query: { version } }', 'query.version(); query.filters(keys)').length, 1);
});

test('a package that describes nothing is left alone', (t) => {
  t.deepEqual(queriesAreDescribed.check(treeOf({ 'plugins/a/src/routes.ts': "query.boolean('all')" })), []);
});
