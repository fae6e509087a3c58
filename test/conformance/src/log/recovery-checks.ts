import type { LogBatch, LogDriver } from '@gantry/core/contracts';
import { rejects } from '../expectations.js';
import type { Suite } from '../suite.js';
import { batchOf, containerOf, out, read, written } from './lines.js';

/** What is kept of a log, and for how long. */
export function recoveryChecks(suite: Suite<LogDriver>): void {
  suite.check('a log that was never written is not found', async (t, opened) => {
    await rejects(t, read(opened.driver, containerOf(opened)), 'not-found');
    const { container, sink } = await written(opened, [out('a')]);
    await sink.close();
    await opened.driver.remove(container);
    await rejects(t, read(opened.driver, container), 'not-found');
  });

  suite.check(
    'what was written is there after a crash, and a batch that was confirmed comes once',
    async (t, opened) => {
      const { container, sink } = await written(opened, [out('0'), out('1')]);
      await sink.write(batchOf([out('2'), ['stdout', 'part ', 'P']], 'r2', 2));
      const after = await opened.reopen({ crash: true });
      const again = await after.driver.open(container);
      const rest: Record<string, LogBatch> = {
        r1: batchOf([out('2'), ['stdout', 'part ', 'P'], ['stdout', 'end']], 'r3', 2),
        r2: batchOf([['stdout', 'end']], 'r3', 4),
      };
      const resume = await again.resumeAt();
      if (resume === undefined) {
        t.regex(await read(after.driver, container), /^0\n1\n2\n/);
      } else {
        await again.write(rest[resume] as LogBatch);
        t.is(await again.resumeAt(), 'r3');
        t.is(await read(after.driver, container), '0\n1\n2\npart end\n');
      }
      await again.close();
      await sink.close().catch(() => undefined);
    },
  );
}
