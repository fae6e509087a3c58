import type { LogDriver } from '@gantry/core/contracts';
import { atOnce, rejects, throws } from './expectations.js';
import { followChecks } from './log/follow-checks.js';
import { batchOf, containerOf, out, written } from './log/lines.js';
import { queryChecks } from './log/query-checks.js';
import { recoveryChecks } from './log/recovery-checks.js';
import { textChecks } from './log/text-checks.js';
import { defineSuite } from './suite.js';

/** The promises of `contracts/log.ts`. */
export const logDriverSuite = defineSuite<LogDriver>('log', (suite) => {
  suite.group({ capability: 'keeping', when: ({ capabilities }) => !capabilities.discards }, (suite) => {
    suite.check('options that are none are refused by name', async (t, { driver }) => {
      driver.validate({});
      throws(t, () => driver.validate({ nosuch: '1' }), 'invalid-argument', /nosuch/);
    });
  });

  suite.check('capabilities agree with the methods', async (t, { driver }) => {
    t.is(typeof driver.read === 'function', driver.capabilities.read);
    t.false(driver.capabilities.discards && driver.capabilities.read);
  });

  suite.check('a sink takes batches and closes twice', async (t, opened) => {
    const { sink } = await written(opened, [out('a'), ['stderr', 'b']]);
    t.is(sink.dropped, 0);
    await sink.close();
    await sink.close();
    await rejects(t, sink.write(batchOf([out('c')], 'r2')), 'unavailable');
  });

  suite.check('removing a log twice resolves', async (t, opened) => {
    const { container, sink } = await written(opened, [out('a')]);
    await sink.close();
    await opened.driver.remove(container);
    await opened.driver.remove(container);
    await opened.driver.remove(containerOf(opened, { id: 'd'.repeat(64) }));
    t.pass();
  });

  suite.check('the path is known before anything is written', async (t, opened) => {
    const container = containerOf(opened);
    const path = opened.driver.path(container);
    t.true(path === '' || path.startsWith(`${container.directory}/`), path);
  });

  suite.check('a thousand sinks may be open', async (t, opened) => {
    const sinks = await atOnce(100, async (index) => {
      const { sink } = await written(opened, [out(`${index}`)], { id: index.toString(16).padStart(64, '0') });
      return sink;
    });
    await Promise.all(sinks.map((sink) => sink.close()));
    t.is(sinks.length, 100);
  });

  suite.group({ capability: 'read', when: ({ capabilities }) => capabilities.read }, (suite) => {
    textChecks(suite);
    queryChecks(suite);
    followChecks(suite);
    recoveryChecks(suite);
  });
});
