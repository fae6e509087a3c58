import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LogBatch, LogContainer, LogDriver, LogQuery, LogRecord } from '@gantry/core/contracts';
import { atOnce, rejects, throws, until } from './expectations.js';
import type { Opened } from './open-driver.js';
import { defineSuite } from './suite.js';

type Readable = LogDriver & Required<Pick<LogDriver, 'read'>>;
type Line = readonly [stream: 'stdout' | 'stderr', text: string, tag?: 'F' | 'P'];

const epoch = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A container of a check's own, with its directory. */
function containerOf({ dirs }: Opened<LogDriver>, change: Partial<LogContainer> = {}): LogContainer {
  const id = change.id ?? 'c'.repeat(64);
  const directory = join(dirs.root, 'containers', id);
  mkdirSync(directory, { recursive: true });
  return {
    id,
    name: 'nostalgic_heisenberg',
    imageId: `sha256:${'1'.repeat(64)}`,
    imageName: 'busybox:latest',
    command: ['sh', '-c', 'echo'],
    createdAt: new Date(epoch),
    labels: {},
    env: [],
    options: {},
    directory,
    ...change,
  };
}

/** A batch of spool lines, one millisecond apart, beginning at a number of milliseconds. */
function batchOf(lines: readonly Line[], resume: string, startsAt = 0): LogBatch {
  const text = lines.map(
    ([stream, line, tag = 'F'], index) => `${spoolTime(startsAt + index)} ${stream} ${tag} ${line}\n`,
  );
  const spool = Buffer.from(text.join(''), 'latin1');
  return {
    spool,
    resume,
    *records() {
      for (const [index, [stream, line, tag = 'F']] of lines.entries()) {
        yield { stream, time: nanoseconds(startsAt + index), line: Buffer.from(line, 'latin1'), partial: tag === 'P' };
      }
    },
  };
}

const spoolTime = (milliseconds: number): string =>
  `${new Date(epoch + milliseconds).toISOString().slice(0, -1)}000001+00:00`;
const nanoseconds = (milliseconds: number): bigint => BigInt(epoch + milliseconds) * 1_000_000n + 1n;

const everything: LogQuery = { stdout: true, stderr: true, follow: false };

async function recordsOf(
  driver: LogDriver,
  container: LogContainer,
  query: Partial<LogQuery> = {},
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of (driver as Readable).read(container, { ...everything, ...query }))
    records.push(...page.records());
  return records;
}

/** What a terminal would show. */
const textOf = (records: readonly LogRecord[]): string =>
  records.map(({ line, partial }) => `${Buffer.from(line).toString()}${partial ? '' : '\n'}`).join('');

const read = async (driver: LogDriver, container: LogContainer, query: Partial<LogQuery> = {}): Promise<string> =>
  textOf(await recordsOf(driver, container, query));

const out = (text: string): Line => ['stdout', text];

async function written(opened: Opened<LogDriver>, lines: readonly Line[], change?: Partial<LogContainer>) {
  const container = containerOf(opened, change);
  const sink = await opened.driver.open(container);
  await sink.write(batchOf(lines, 'r1'));
  return { container, sink };
}

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

    suite.check('a log that was never written is not found', async (t, opened) => {
      await rejects(t, read(opened.driver, containerOf(opened)), 'not-found');
      const { container, sink } = await written(opened, [out('a')]);
      await sink.close();
      await opened.driver.remove(container);
      await rejects(t, read(opened.driver, container), 'not-found');
    });

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
      // Whether the reader is there already cannot be told from outside.
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

    suite.check('attributes that are asked for are kept', async (t, opened) => {
      const labels = { colour: 'blue', other: 'no' };
      const options = { labels: 'colour', env: 'HOME' };
      if (refuses(opened.driver, options)) {
        t.pass('the driver has no such options');
        return;
      }
      const { container, sink } = await written(opened, [out('a')], { labels, env: ['HOME=/root', 'X=1'], options });
      await sink.close();
      const [record] = await recordsOf(opened.driver, container);
      t.deepEqual(record?.attributes, { HOME: '/root', colour: 'blue' });
    });
  });
});

function refuses(driver: LogDriver, options: Readonly<Record<string, string>>): boolean {
  try {
    driver.validate(options);
    return false;
  } catch {
    return true;
  }
}

async function collect(
  driver: LogDriver,
  container: LogContainer,
  query: Partial<LogQuery>,
  seen: string[],
): Promise<void> {
  for await (const page of (driver as Readable).read(container, { ...everything, ...query })) {
    const text = textOf([...page.records()]);
    if (text !== '') seen.push(text);
  }
}

type Frame = readonly [stream: number, text: string];

const asFrame = ({ stream, line, partial }: LogRecord): Frame => [
  stream === 'stdout' ? 1 : 2,
  `${Buffer.from(line).toString()}${partial ? '' : '\n'}`,
];

function unframed(bytes: Uint8Array): Frame[] {
  const buffer = Buffer.from(bytes);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at + 4);
    frames.push([buffer[at] as number, buffer.toString('utf8', at + 8, at + 8 + length)]);
    at += 8 + length;
  }
  return frames;
}
