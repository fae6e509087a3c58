import test from 'ava';
import { onCalendar } from './on-calendar.js';

test('a duration of days is as long as it says, unless a test shortens it; nothing makes it longer', (t) => {
  const day = 24 * 3600 * 1000;
  t.is(onCalendar(day), day);
  t.is(onCalendar(day, 24), 3600 * 1000);
  for (const times of [0.5, 0, -1, Number.NaN]) t.is(onCalendar(day, times), day);
});
