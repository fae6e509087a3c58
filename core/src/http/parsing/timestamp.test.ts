import test from 'ava';
import { Query } from './query.js';
import { parseDuration, parseTimestamp } from './timestamp.js';

const at = 1_700_000_000_000_000_000n;
const second = 1_000_000_000n;

for (const [text, moment] of [
  ['0', 0n],
  ['1136073600', 1136073600n * second],
  ['1136073600.000000001', 1136073600n * second + 1n],
  ['1136073600.5', 1136073600n * second + 500_000_000n],
  ['1136073600.1234567891', 1136073600n * second + 123_456_789n],
  ['-1', -second],
  ['2006-01-02T15:04:05Z', 1136214245n * second],
  ['2006-01-02T15:04:05.123456789Z', 1136214245n * second + 123_456_789n],
  ['2006-01-02T15:04:05+02:00', 1136207045n * second],
  ['2006-01-02T15:04:05', 1136214245n * second],
  ['2006-01-02T15:04', 1136214240n * second],
  ['2006-01-02', 1136160000n * second],
  ['2006-01-02Z', 1136160000n * second],
  ['10m', at - 600n * second],
  ['1h30m', at - 5400n * second],
  ['1.5s', at - 1_500_000_000n],
] as const) {
  test(`"${text}" is a time`, (t) => {
    t.is(parseTimestamp('since', text, at), moment);
  });
}

for (const text of ['x', '', '2006-13-02', '2006-02-30', '2006-01-02T25:00:00Z', '1.2.3', '10 m', 'm', '1e3']) {
  test(`"${text}" is refused by name`, (t) => {
    t.throws(() => parseTimestamp('since', text, at), {
      message: new RegExp(`^since: "${text}" is not a time such as`),
    });
  });
}

test('a time in a query is optional', (t) => {
  t.is(new Query('').timestamp('since'), undefined);
  t.is(new Query('since=').timestamp('since'), undefined);
  t.is(new Query('since=1').timestamp('since'), second);
});

test('durations have units and a sign', (t) => {
  t.is(parseDuration('1h2m3s4ms5us6ns'), 3723n * second + 4_005_006n);
  t.is(parseDuration('-2m'), -120n * second);
  t.is(parseDuration('5'), undefined);
  t.is(parseDuration('5d'), undefined);
});
