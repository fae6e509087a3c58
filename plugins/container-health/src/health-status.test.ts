import type { Health, HealthProbe } from '@gantry/containers/service';
import test from 'ava';
import { healthCheckOf } from './health-check.js';
import { afterProbe, exitedHealth, nextProbe, startingHealth } from './health-status.js';

const probe = (exitCode: number): HealthProbe => ({ start: '', end: '', exitCode, output: String(exitCode) });

/** What becomes of a starting container by probes, one a second. */
function after(exitCodes: readonly number[], rules = { retries: 3, startPeriod: 0 }, from: Health = startingHealth) {
  return exitCodes.reduce((health, code, second) => afterProbe(health, probe(code), rules, second * 1000), from);
}

test('one success makes healthy, so many failures in a row unhealthy', (t) => {
  t.like(after([0]), { status: 'healthy', failingStreak: 0 });
  t.like(after([1, 1]), { status: 'starting', failingStreak: 2 });
  t.like(after([1, 1, -1]), { status: 'unhealthy', failingStreak: 3 });
  t.like(after([0, 1, 1]), { status: 'healthy', failingStreak: 2 });
  t.like(after([0, 1, 1, 0, 1, 1]), { status: 'healthy', failingStreak: 2 });
  t.like(after([1, 1, 1, 1]), { status: 'unhealthy', failingStreak: 4 });
  t.like(after([1, 1, 1, 0]), { status: 'healthy', failingStreak: 0 });
});

test('failures do not count in the start period, until the first success', (t) => {
  const rules = { retries: 1, startPeriod: 2000 };
  t.like(after([1, 1], rules), { status: 'starting', failingStreak: 0 });
  t.like(after([1, 1, 1], rules), { status: 'unhealthy', failingStreak: 1 });
  t.like(after([0, 1], rules), { status: 'unhealthy' });
});

test('probes are as far apart as StartInterval says in the start period, until the first success', (t) => {
  const rules = { interval: 30_000, startInterval: 500, startPeriod: 2000 };
  t.is(nextProbe(after([]), rules, 0), 500);
  t.is(nextProbe(after([1], { retries: 3, startPeriod: 2000 }), rules, 1999), 500);
  t.is(nextProbe(after([]), rules, 2000), 30_000);
  t.is(nextProbe(after([0]), rules, 100), 30_000);
});

test('the last five probes are kept', (t) => {
  t.deepEqual(
    after([1, 2, 3, 4, 5, 6, 0]).log.map(({ exitCode }) => exitCode),
    [3, 4, 5, 6, 0],
  );
});

test('a container that has ended is not healthy', (t) => {
  t.like(exitedHealth(after([0])), { status: 'unhealthy', log: [{ exitCode: 0 }] });
});

test('a check has defaults, and is run by the shell of the image where it is a line', (t) => {
  const second = 1e9;
  t.deepEqual(healthCheckOf({ Healthcheck: { Test: ['CMD', 'curl', '-f', 'x'] } }), {
    args: ['curl', '-f', 'x'],
    interval: 30_000,
    timeout: 30_000,
    startPeriod: 0,
    startInterval: 5000,
    retries: 3,
  });
  const Test = ['CMD-SHELL', 'true && true'];
  const times = {
    Interval: second,
    Timeout: second / 4,
    StartPeriod: second * 60,
    StartInterval: second * 2,
    Retries: 7,
  };
  t.deepEqual(healthCheckOf({ Healthcheck: { Test, ...times }, Shell: ['bash', '-ec'] }), {
    args: ['bash', '-ec', 'true && true'],
    interval: 1000,
    timeout: 250,
    startPeriod: 60_000,
    startInterval: 2000,
    retries: 7,
  });
  t.deepEqual(healthCheckOf({ Healthcheck: { Test } })?.args, ['/bin/sh', '-c', 'true && true']);
});

test('without a test, and with NONE, there is no check', (t) => {
  t.is(healthCheckOf({}), undefined);
  t.is(healthCheckOf({ Healthcheck: { Interval: 5 } }), undefined);
  t.is(healthCheckOf({ Healthcheck: { Test: ['NONE'] } }), undefined);
  t.is(healthCheckOf({ Healthcheck: { Test: ['CMD'] } }), undefined);
});
