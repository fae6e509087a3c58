import test from 'ava';
import { emulatedHosts } from './emulated-hosts.js';
import { runGuestTests } from './run-guest-tests.js';

/** A quiet machine of two cores needs two minutes; others tests run beside this one. */
const deadline = 12 * 60_000;

for (const host of emulatedHosts.filter(({ inShortForm }) => inShortForm === true)) {
  const title = `an emulated ${host.name} runs containers with limits, and networks with a published port`;
  // A machine that cannot emulate fails this test: leaving it out is the operator's explicit choice.
  if (process.env.GANTRY_EMULATED_HOSTS === 'off') test.skip(title, (t) => t.pass());
  else {
    test.serial(title, async (t) => {
      t.timeout(deadline + 60_000); // what the machine has said until its own deadline is shown
      const groups = ['lifecycle', 'networking'];
      const { outcomes, failure, output } = await runGuestTests(host, { groups, deadline });
      const failed = outcomes.filter(({ outcome }) => outcome !== 'passed').map(({ title }) => title);
      t.deepEqual({ failed, failure }, { failed: [], failure: undefined }, output.join('\n'));
      t.true(outcomes.length >= groups.length);
    });
  }
}
