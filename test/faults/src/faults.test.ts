import { ProgramScope } from '@gantry/test-nodes';
import test from 'ava';
import { differences, leaks } from './check/host.js';
import { knownPoints } from './known-points.js';
import { openBase } from './run-faults.js';
import { type Base, runScenario } from './run-scenario.js';
import { allScenarios } from './scenarios/index.js';

test('every crash point has a unique literal name', async (t) => {
  const points = await knownPoints();
  t.true(points.includes('container.start.created'));
  t.is(new Set(points).size, points.length);
});

test('orphans and losses are detected', (t) => {
  t.deepEqual(differences(['mount a', 'mount a'], ['mount a', 'file b']), ['- mount a', '+ file b']);
  t.deepEqual(leaks(['sockets 2'], ['sockets 3']), ['+ 1 sockets']);
  t.deepEqual(leaks(['sockets 2', 'link a'], ['sockets 1', 'link a']), []);
});

/** One or two of each; the rest is for `npm run faults`. */
const samples: Readonly<Record<string, RegExp>> = {
  create: /^container\.create\.stored$/,
  start: /^(container\.start\.confirmed|bridge\.endpoint\.plugged)$/,
  'remove by force': /^container\.remove\.(emptied|gone)$/,
  'service create': /^agent\.create\.created$/,
  'service scale': /^services\.pass\.stored$/,
};

const scope = new ProgramScope();
let base: Base | undefined;

test.before(async (t) => {
  t.timeout(110_000);
  base = await openBase(scope);
});

test.after.always(() => scope.end());

for (const [name, points] of Object.entries(samples)) {
  test.serial(
    `killed in the middle of a ${name}, the next daemon has all or nothing, and nothing is left`,
    async (t) => {
      t.timeout(110_000);
      const scenario = allScenarios.find((one) => one.name === name);
      if (base === undefined || scenario === undefined) throw new Error(`no scenario is called ${name}`);
      const plan = { timesPerPoint: 1, isWanted: ({ point }: { readonly point: string }) => points.test(point) };
      let kills = 0;
      for await (const { place, killed, violations } of runScenario(base, scenario, plan)) {
        t.true(killed, `${name} did not come to ${place.point}`);
        t.deepEqual(violations, [], `${name}, killed at ${place.point}`);
        kills += 1;
      }
      t.true(kills > 0);
    },
  );
}
