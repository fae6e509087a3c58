import { parseWebHost } from '@gantry/core/http';
import test from 'ava';
import { lastModifiedSecond } from './conditional.js';
import { isoSecond, parseIsoMoment } from './iso-moment.js';
import { LoadMeter } from './load-meter.js';
import { pollIntervalFor } from './poll-interval.js';
import { RateLimiter } from './rate-limiter.js';

test('a time must have the ISO form and exist', (t) => {
  t.is(parseIsoMoment('2026-11-21T18:20:00Z'), Date.UTC(2026, 10, 21, 18, 20));
  t.is(parseIsoMoment('2026-11-21T18:20:00.5+01:00'), Date.UTC(2026, 10, 21, 17, 20, 0, 500));
  t.is(parseIsoMoment('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
  for (const text of [
    '2026-11-21',
    '2026-11-21 18:20:00Z',
    '2026-11-21T18:20:00',
    '2026-11-21T18:20Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:59:60Z',
    ' 2026-11-21T18:20:00Z',
    '1795284218',
    'yesterday',
  ]) {
    t.is(parseIsoMoment(text), undefined, text);
  }
  t.is(isoSecond(Date.UTC(2026, 10, 21, 18, 20, 0, 999)), '2026-11-21T18:20:00Z');
});

test('Last-Modified is never the current second', (t) => {
  t.is(lastModifiedSecond(5_000, 9_000), 5);
  t.is(lastModifiedSecond(9_100, 9_900), 8);
  t.is(lastModifiedSecond(12_000, 9_900), 8, 'nor a future one');
});

test('the poll interval grows with the load, up to its limit', (t) => {
  const options = { seconds: 60, maxSeconds: 900, comfortableRequestsPerSecond: 100 };
  const interval = (requestsPerSecond: number, utilization: number) =>
    pollIntervalFor({ requestsPerSecond, utilization }, options);
  t.is(interval(0, 0), 60);
  t.is(interval(100, 0.8), 60);
  t.is(interval(250, 0.1), 150);
  t.is(interval(1, 0.9), 120);
  t.is(interval(1, 1), 900);
  t.is(interval(1e6, 0), 900);
});

test('the load is averaged over the last ten seconds', (t) => {
  let now = 1_000_000;
  const meter = new LoadMeter(() => now);
  for (let count = 0; count < 50; count++) meter.count();
  now += 5000;
  for (let count = 0; count < 50; count++) meter.count();
  t.is(meter.load().requestsPerSecond, 10);
  now += 5000;
  t.is(meter.load().requestsPerSecond, 5);
  now += 60_000;
  t.is(meter.load().requestsPerSecond, 0);
});

test('rate limits are reset each hour and each minute', (t) => {
  let now = 0;
  const limiter = new RateLimiter({ perHour: 3, perMinute: 2 }, () => now);
  const take = () => limiter.take('a');
  t.deepEqual([take(), take()], [{ outcome: 'admitted' }, { outcome: 'admitted' }]);
  now = 59_000;
  t.deepEqual(take(), { outcome: 'burst', retryAfterSeconds: 1 });
  now = 60_000;
  t.deepEqual(take(), { outcome: 'admitted' });
  t.deepEqual(take(), { outcome: 'exhausted', retryAfterSeconds: 3540 });
  t.deepEqual(limiter.status('a'), { limit: 3, used: 3, remaining: 0, reset: 3600 });
  now = 3_600_000;
  t.deepEqual(take(), { outcome: 'admitted' });
});

test('plain-text TCP beyond loopback requires insecureTcp', (t) => {
  t.like(parseWebHost('tcp://127.0.0.1:8930', { setting: 'hosts', insecureTcp: false }), { kind: 'tcp', port: 8930 });
  t.like(parseWebHost('tcp://[::1]:8930', { setting: 'hosts', insecureTcp: false }), { host: '::1' });
  t.like(parseWebHost('unix:///run/x.sock', { setting: 'hosts', insecureTcp: false }), {
    kind: 'unix',
    path: '/run/x.sock',
  });
  t.throws(() => parseWebHost('tcp://0.0.0.0:8930', { setting: 'hosts', insecureTcp: false }), {
    message: /could be read on their way/,
  });
  t.like(parseWebHost('tcp://0.0.0.0:8930', { setting: 'hosts', insecureTcp: true }), { host: '0.0.0.0' });
  const tls = { cert: 'c', key: 'k' };
  t.like(parseWebHost('tcp://0.0.0.0:8930', { setting: 'hosts', insecureTcp: false, tls }), { tls });
  for (const host of ['http://x:1', 'tcp://x', 'unix://x', '']) {
    t.throws(() => parseWebHost(host, { setting: 'hosts', insecureTcp: false }), { message: new RegExp(`"${host}"`) });
  }
});
