import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import journald from './index.js';
import { testJournal } from './testing/journal.js';

const journal = await testJournal('conformance');
if (journal === undefined) {
  test('the contract of log drivers', (t) => t.log('not tested: systemd-journald is not installed'));
} else {
  test.after.always(() => journal.remove());
  logDriverSuite(test, () => openDriver(journald, { config: { namespace: journal.namespace } }));
}
