import test from 'ava';
import { trendOf } from './trend.js';

test('a trend is the change along the median of the slopes', (t) => {
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

const samplesOf = (valueAt: (at: number) => number) =>
  Array.from({ length: 26 }, (_, index) => ({ at: 7 * index, value: valueAt(7 * index) }));

test('steady growth is seen, and neither noise nor a peak of some weeks is taken for it', (t) => {
  t.is(Math.round(trendOf(samplesOf((at) => 100 + at / 10))?.changePercent ?? 0), 17);
  t.true(Math.abs(trendOf(samplesOf((at) => 50 + (at % 3)))?.changePercent ?? 99) < 2);
  const peak = trendOf(samplesOf((at) => (at >= 120 && at < 150 ? 190 : 52)));
  t.is(peak?.changePercent, 0);
  t.is(peak?.most, 190);
});
