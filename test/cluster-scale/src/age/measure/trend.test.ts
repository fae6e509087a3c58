import test from 'ava';
import { trendOf } from './trend.js';

test('a trend is the change along the line through the samples', (t) => {
  const rising = [10, 11, 12, 13, 14].map((value, at) => ({ at, value }));
  t.deepEqual(trendOf(rising), { samples: 5, mean: 12, least: 10, most: 14, changePercent: 40 });
});

test('values that go up and down have no trend', (t) => {
  const wave = [10, 14, 10, 14, 10].map((value, at) => ({ at, value }));
  t.is(trendOf(wave)?.changePercent, 0);
});

test('two samples are no trend', (t) => {
  t.is(trendOf([{ at: 0, value: 1 }].concat({ at: 1, value: 2 })), undefined);
});
