import type { LogDriver, LogRecord } from '@gantry/core/contracts';
import type { Suite } from '../suite.js';
import { batchOf, containerOf, nanoseconds, out, read, recordsOf, written } from './lines.js';

/** Which records a query takes. */
export function queryChecks(suite: Suite<LogDriver>): void {
  suite.check('one stream can be asked for', async (t, opened) => {
    const { container, sink } = await written(opened, [out('a'), ['stderr', 'b'], out('c')]);
    await sink.close();
    t.is(await read(opened.driver, container, { stderr: false }), 'a\nc\n');
    t.is(await read(opened.driver, container, { stdout: false }), 'b\n');
  });

  suite.check('since and until count to the nanosecond', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0'), out('1'), out('2'), out('3')]);
    await sink.close();
    t.is(await read(opened.driver, container, { since: nanoseconds(1) }), '1\n2\n3\n');
    t.is(await read(opened.driver, container, { since: nanoseconds(1) + 1n }), '2\n3\n');
    t.is(await read(opened.driver, container, { until: nanoseconds(1) }), '0\n1\n');
    t.is(await read(opened.driver, container, { until: nanoseconds(1) - 1n }), '0\n');
    t.is(await read(opened.driver, container, { since: nanoseconds(1), until: nanoseconds(2) }), '1\n2\n');
    t.is(await read(opened.driver, container, { since: nanoseconds(99) }), '');
  });

  suite.check('tail takes the last of those that are asked for', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0'), ['stderr', '1'], out('2'), ['stderr', '3']]);
    await sink.close();
    const { driver } = opened;
    t.is(await read(driver, container, { tail: 0 }), '');
    t.is(await read(driver, container, { tail: 1 }), '3\n');
    t.is(await read(driver, container, { tail: 3 }), '1\n2\n3\n');
    t.is(await read(driver, container, { tail: 4 }), '0\n1\n2\n3\n');
    t.is(await read(driver, container, { tail: 99 }), '0\n1\n2\n3\n');
    t.is(await read(driver, container, { tail: 2, stderr: false }), '0\n2\n');
    t.is(await read(driver, container, { tail: 2, until: nanoseconds(2) }), '1\n2\n');
  });

  suite.check('a log of many pages is read whole, from the front and from the back', async (t, opened) => {
    const container = containerOf(opened);
    const sink = await opened.driver.open(container);
    const text = 'x'.repeat(90);
    for (let batch = 0; batch < 20; batch++) {
      const lines = Array.from({ length: 1000 }, (_, index) => out(`${batch * 1000 + index} ${text}`));
      await sink.write(batchOf(lines, `r${batch}`, batch * 1000));
    }
    await sink.close();
    const numbers = (records: readonly LogRecord[]) =>
      records.map(({ line }) => Number.parseInt(Buffer.from(line).toString(), 10));
    const upTo = (from: number) => Array.from({ length: 20_000 - from }, (_, index) => from + index);
    t.deepEqual(numbers(await recordsOf(opened.driver, container)), upTo(0));
    for (const tail of [1, 999, 5000, 19_999]) {
      t.deepEqual(numbers(await recordsOf(opened.driver, container, { tail })), upTo(20_000 - tail));
    }
    t.deepEqual(numbers(await recordsOf(opened.driver, container, { since: nanoseconds(15_000) })), upTo(15_000));
  });
}
