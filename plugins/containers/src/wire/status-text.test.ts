import test from 'ava';
import type { Health } from '../health.js';
import type { ContainerState } from '../record.js';
import { run } from '../testing/wire-fixture.js';
import { humanDuration } from './human-duration.js';
import { statusText } from './status-text.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

for (const [length, words] of [
  [-5 * second, 'Less than a second'],
  [999, 'Less than a second'],
  [second, '1 second'],
  [59 * second, '59 seconds'],
  [minute, 'About a minute'],
  [119 * second, 'About a minute'],
  [5 * minute, '5 minutes'],
  [59 * minute, '59 minutes'],
  [hour, 'About an hour'],
  [89 * minute, 'About an hour'],
  [90 * minute, '2 hours'],
  [47 * hour, '47 hours'],
  [2 * day, '2 days'],
  [13 * day, '13 days'],
  [14 * day, '2 weeks'],
  [59 * day, '8 weeks'],
  [60 * day, '2 months'],
  [729 * day, '24 months'],
  [730 * day, '2 years'],
] as const) {
  test(`${length} ms are ${words}`, (t) => {
    t.is(humanDuration(length), words);
  });
}

const startedAt = '2024-01-01T00:00:00.000000000Z';
const now = new Date('2024-01-01T00:05:00.000Z');
const last = run({ finishedAt: '2024-01-01T00:04:57.000000000Z', exitCode: 1 });
const health = (status: Health['status']): Health => ({ status, failingStreak: 0, log: [] });

for (const [state, probe, words] of [
  [{ status: 'created' }, undefined, 'Created'],
  [{ status: 'created', error: { message: 'x', exitCode: 127 } }, undefined, 'Created'],
  [{ status: 'starting', since: startedAt }, undefined, 'Created'],
  [{ status: 'starting', since: startedAt, previous: last }, undefined, 'Exited (1) 3 seconds ago'],
  [{ status: 'running', pid: 1, startedAt }, undefined, 'Up 5 minutes'],
  [{ status: 'running', pid: 1, startedAt }, health('starting'), 'Up 5 minutes (health: starting)'],
  [{ status: 'running', pid: 1, startedAt }, health('healthy'), 'Up 5 minutes (healthy)'],
  [{ status: 'running', pid: 1, startedAt }, health('unhealthy'), 'Up 5 minutes (unhealthy)'],
  [{ status: 'paused', pid: 1, startedAt }, undefined, 'Up 5 minutes (Paused)'],
  [{ status: 'restarting', last, delayMs: 100 }, undefined, 'Restarting (1) 3 seconds ago'],
  [{ status: 'exited', last }, undefined, 'Exited (1) 3 seconds ago'],
  [{ status: 'removing', last, withVolumes: false }, undefined, 'Removal In Progress'],
  [{ status: 'dead', last, reason: 'busy' }, undefined, 'Dead'],
] as readonly (readonly [ContainerState, Health | undefined, string])[]) {
  test(`${JSON.stringify(state)} shows as ${words}`, (t) => {
    t.is(statusText(state, probe, now), words);
  });
}
