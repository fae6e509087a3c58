import test from 'ava';
import { Duties } from './duties.js';

test('the duty of a manager counts once it has lasted', (t) => {
  const duties = new Duties();
  t.is(duties.of(1, false, 0), 'settling');
  t.is(duties.of(1, false, 14), 'follower');
  t.is(duties.of(1, true, 15), 'settling');
  t.is(duties.of(1, true, 29), 'leader');
  t.is(duties.of(1, false, 30), 'settling');
  t.is(duties.of(1, false, 44), 'former leader');
  t.is(duties.of(2, false, 44), 'settling', 'another process');
});

test('a manager that has led for too short a time is like neither a follower nor a former leader', (t) => {
  const duties = new Duties();
  duties.of(1, true, 0);
  duties.of(1, false, 5);
  t.is(duties.of(1, false, 50), 'settling');
});

test('a leader with large changes in its history is not like one without', (t) => {
  const duties = new Duties();
  duties.of(1, true, 0);
  duties.of(2, false, 0);
  duties.noteLargeChanges(20);
  t.is(duties.of(1, true, 40), 'settling');
  t.is(duties.of(2, false, 40), 'follower');
  t.is(duties.of(1, true, 48), 'leader');
});
