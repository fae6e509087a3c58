import type { LogDriver } from '@gantry/core/contracts';
import { until } from '../expectations.js';
import type { Suite } from '../suite.js';
import { batchOf, collect, everything, out, type Readable, textOf, written } from './lines.js';

/** Reading what is still being written. */
export function followChecks(suite: Suite<LogDriver>): void {
  suite.check('following shows what is written meanwhile, until the end', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0')]);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const seen: string[] = [];
    const following = collect(opened.driver, container, { follow: true, ended }, seen);
    await until('the first line is read', () => seen.join('') === '0\n');
    for (let index = 1; index <= 3; index++) {
      await sink.write(batchOf([out(`${index}`)], `r${index}`, index));
      await until(`line ${index} is read`, () => seen.join('').endsWith(`${index}\n`));
    }
    await sink.write(batchOf([out('last')], 'rl', 9));
    end();
    await following;
    t.is(seen.join(''), '0\n1\n2\n3\nlast\n');
    await sink.close();
  });

  suite.check('following goes on when the sink is opened again', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0')]);
    const stop = new AbortController();
    const seen: string[] = [];
    const following = collect(opened.driver, container, { follow: true, tail: 0, signal: stop.signal }, seen);
    await sink.close();
    const again = await opened.driver.open(container);
    // Whether the reader has started cannot be observed.
    for (let index = 0; seen.length === 0; index++) {
      await again.write(batchOf([out('x')], `again${index}`, 10 + index));
      await until('the reader had a chance', () => true);
    }
    await again.write(batchOf([out('end')], 'end', 99));
    await until('the last line is read', () => seen.join('').endsWith('end\n'));
    stop.abort();
    await following;
    t.regex(seen.join(''), /^(x\n)+end\n$/);
    await again.close();
  });

  suite.check('an aborted signal ends following', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0')]);
    const stop = new AbortController();
    const seen: string[] = [];
    const following = collect(opened.driver, container, { follow: true, signal: stop.signal }, seen);
    await until('the first line is read', () => seen.length > 0);
    stop.abort();
    await following;
    t.deepEqual(seen, ['0\n']);
    await sink.close();
  });

  suite.check('a reader may stop early', async (t, opened) => {
    const { container, sink } = await written(opened, [out('0')]);
    for await (const page of (opened.driver as Readable).read(container, { ...everything, follow: true })) {
      t.is(textOf([...page.records()]), '0\n');
      break;
    }
    await sink.close();
  });
}
