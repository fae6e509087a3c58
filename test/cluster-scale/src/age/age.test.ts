import test from 'ava';
import { eventsOf } from './events-of.js';
import { runYear } from './run-year.js';

test('a year has so many events of each kind', (t) => {
  const counts: Record<string, number> = {};
  for (let day = 0; day < 365; day++) for (const name of eventsOf(day)) counts[name] = (counts[name] ?? 0) + 1;
  t.deepEqual(counts, {
    'services updated': 365,
    'tasks failed': 365,
    'files replaced': 365,
    'service replaced': 365,
    'node replaced': 52,
    'manager replaced': 6,
    'join tokens rotated': 12,
    'leader killed': 12,
    'root rotated': 4,
    'large configs': 4,
    checked: 12,
  });
});

test('a swarm is as it has to be after a month of events', async (t) => {
  t.timeout(300_000); // an engine starts twice
  const options = { days: 30, minutes: 0.3, managers: 1, nodes: 5, services: 2, replicas: 2, largeConfigs: 3 };
  const { certificates, counts, faults, keys } = await runYear(t, options, (line) => t.log(line));
  t.deepEqual(faults, []);
  const { failures, ...exact } = counts;
  t.true((failures ?? 0) > 0);
  t.deepEqual(exact, { updates: 60, files: 30, services: 30, nodes: 4, managers: 0, tokens: 1, kills: 1, roots: 1 });
  t.true(certificates > options.nodes + 4, 'every node that stayed has another certificate, of the other root');
  t.true(keys > 3, 'nodes were given other keys than the first ones');
});
