import test from 'ava';
import { RecentDepartures } from './recent-departures.js';

test('a departure is recent for the period, from the last time on', (t) => {
  let now = 0;
  const departures = new RecentDepartures(100, () => now);
  departures.add('vol');
  now = 60;
  departures.add('vol');
  now = 159;
  t.true(departures.has('vol'));
  now = 160;
  t.false(departures.has('vol'));
  t.false(departures.has('other'));
});

test('what left long ago is forgotten', (t) => {
  let now = 0;
  const departures = new RecentDepartures(100, () => now);
  for (; now < 10_000; now += 10) departures.add(`plugin-${now}`);
  t.true(departures.size <= 10);
  now += 100;
  t.is(departures.size, 0);
});
