import test from 'ava';
import { contains, overlap, subnetOf } from './address.js';

test('a subnet is the address with its last bits cleared', (t) => {
  t.is(subnetOf('172.18.3.4/16'), '172.18.0.0/16');
  t.is(subnetOf('10.0.0.77/30'), '10.0.0.76/30');
  t.is(subnetOf('10.9.8.7/0'), '0.0.0.0/0');
  t.is(subnetOf('fd00:1:2::3/64'), 'fd00:1:2::/64');
});

test('what a subnet contains and overlaps', (t) => {
  t.true(contains('172.18.0.0/16', '172.18.255.1'));
  t.false(contains('172.18.0.0/16', '172.19.0.1'));
  t.false(contains('172.18.0.0/16', 'fd00::1'));
  t.true(overlap('10.0.0.0/8', '10.1.0.0/24'));
  t.true(overlap('10.1.0.0/24', '10.0.0.0/8'));
  t.false(overlap('10.1.0.0/24', '10.1.1.0/24'));
});
