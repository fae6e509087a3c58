import test from 'ava';
import { mapsFewerIds } from './user-namespace.js';

test('the initial user namespace maps every id to itself, and others do not', (t) => {
  t.false(mapsFewerIds('         0          0 4294967295\n'));
  t.true(mapsFewerIds('         0       1000          1\n         1     100000      65536\n'));
  t.true(mapsFewerIds('         0          0      65536\n'));
  t.true(mapsFewerIds(''));
});
