import type { LogDriver } from '@gantry/core/contracts';
import type { Suite } from '../suite.js';
import {
  asFrame,
  batchOf,
  everything,
  type Line,
  nanoseconds,
  out,
  type Readable,
  read,
  recordsOf,
  refuses,
  textOf,
  unframed,
  written,
} from './lines.js';

/** What is written is what is read. */
export function textChecks(suite: Suite<LogDriver>): void {
  suite.check('what was written is read back in order, with streams and times', async (t, opened) => {
    const { container, sink } = await written(opened, [out('one'), ['stderr', 'two'], out(''), out(' three ')]);
    t.deepEqual(
      (await recordsOf(opened.driver, container)).map(({ stream, time, line, partial }) => [
        stream,
        time,
        Buffer.from(line).toString(),
        partial,
      ]),
      [
        ['stdout', nanoseconds(0), 'one', false],
        ['stderr', nanoseconds(1), 'two', false],
        ['stdout', nanoseconds(2), '', false],
        ['stdout', nanoseconds(3), ' three ', false],
      ],
    );
    await sink.close();
    t.is(await read(opened.driver, container), 'one\ntwo\n\n three \n');
  });

  suite.check('texts of any kind come back as they were', async (t, opened) => {
    const texts = [
      '"quoted" \\back',
      '<a href="x&y">',
      '\t\u0001\u001b[31mred\u001b[0m\r',
      'é ✓ 😀 \u2028 \u2029',
      '{"log":"x"}',
    ];
    const lines = texts.map((text) => out(Buffer.from(text).toString('latin1')));
    const { container, sink } = await written(opened, lines);
    await sink.close();
    t.is(await read(opened.driver, container), `${texts.join('\n')}\n`);
  });

  suite.check('bytes that are no characters are not refused', async (t, opened) => {
    const { container, sink } = await written(opened, [out('a\xff\xfe\xed\xa0\x80b'), out('c')]);
    await sink.close();
    t.regex(await read(opened.driver, container), /^a[^\n]*b\nc\n$/);
  });

  suite.check('parts of a line become the line', async (t, opened) => {
    const parts: Line[] = [
      ['stdout', 'one ', 'P'],
      ['stderr', 'other'],
      ['stdout', 'two ', 'P'],
      ['stdout', 'three'],
    ];
    const { container, sink } = await written(opened, parts);
    await sink.close();
    const records = await recordsOf(opened.driver, container);
    t.is(textOf(records.filter(({ stream }) => stream === 'stdout')), 'one two three\n');
    t.is(textOf(records.filter(({ stream }) => stream === 'stderr')), 'other\n');
  });

  suite.check('parts of a line in two batches become the line', async (t, opened) => {
    const { container, sink } = await written(opened, [['stdout', 'one ', 'P']]);
    await sink.write(batchOf([['stdout', 'two']], 'r2', 1));
    await sink.close();
    t.is(await read(opened.driver, container), 'one two\n');
  });

  suite.check('a last line without its end is there when the sink is closed', async (t, opened) => {
    const { container, sink } = await written(opened, [out('a'), ['stdout', 'rest', 'P']]);
    await sink.close();
    t.is(await read(opened.driver, container), 'a\nrest');
  });

  suite.check('no record is longer than 16 KiB, and no byte of a long line is lost', async (t, opened) => {
    const text = Array.from({ length: 5000 }, (_, index) => `${index},`).join('');
    const pieces: Line[] = [];
    for (let at = 0; at < text.length; at += 8192) {
      pieces.push(['stdout', text.slice(at, at + 8192), at + 8192 < text.length ? 'P' : 'F']);
    }
    const { container, sink } = await written(opened, [out('before'), ...pieces, out('after')]);
    await sink.close();
    const records = await recordsOf(opened.driver, container);
    t.is(textOf(records), `before\n${text}\nafter\n`);
    t.true(records.every(({ line }) => line.length <= 16384));
  });

  suite.check('frames are the same as records', async (t, opened) => {
    const lines: Line[] = [out('one'), ['stderr', 'two "x" \t'], out(''), out(Buffer.from('é✓').toString('latin1'))];
    const { container, sink } = await written(opened, lines);
    await sink.close();
    for (const query of [{}, { stdout: false }, { stderr: false }, { tail: 2 }, { since: nanoseconds(2) }]) {
      const pages = (opened.driver as Readable).read(container, { ...everything, ...query });
      for await (const page of pages) {
        const frames = [...page.records()].map(asFrame);
        t.deepEqual(page.frames === undefined ? frames : unframed(page.frames()), frames);
      }
    }
  });

  suite.check('attributes that are asked for are kept', async (t, opened) => {
    const labels = { colour: 'blue', other: 'no' };
    const options = { labels: 'colour', env: 'HOME' };
    if (refuses(opened.driver, options)) {
      t.pass('not tested: the driver has no options "labels" and "env"');
      return;
    }
    const { container, sink } = await written(opened, [out('a')], { labels, env: ['HOME=/root', 'X=1'], options });
    await sink.close();
    const [record] = await recordsOf(opened.driver, container);
    t.deepEqual(record?.attributes, { HOME: '/root', colour: 'blue' });
  });
}
