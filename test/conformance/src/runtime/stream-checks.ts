import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rejects, until } from '../expectations.js';
import { check, type RuntimeSuite } from './define.js';
import { sh, sizeScript, textOf, textOfSpool, waits, watchOutput } from './fixture.js';

/** Output, stdin and terminals of tasks. */
export function streamChecks(suite: RuntimeSuite): void {
  check(suite, 'who attaches before the start misses nothing, and knows the streams apart', async (t, fixture) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const id = await fixture.create(sh('echo one; echo two >&2; echo three'), { id: stream });
      const { output } = await fixture.driver.io.attach(id);
      await fixture.driver.startTask(id);
      t.is(await textOf(output, stream), stream === 'stdout' ? 'one\nthree\n' : 'two\n');
    }
  });

  check(suite, 'output before the attachment is in the spool alone', async (t, fixture) => {
    const id = await fixture.run(sh('echo before; read x; echo after'), { openStdin: true, stdinOnce: true });
    await until('the first line is spooled', async () => (await fixture.spooled(id)) === 'before\n');
    const streams = await fixture.driver.io.attach(id);
    await streams.writeStdin(Buffer.from('go\n'));
    t.is(await textOf(streams.output), 'after\n');
    await fixture.ended(id);
    t.is(await fixture.spooled(id), 'before\nafter\n');
  });

  check(suite, 'all output is in the spool when the exit is published', async (t, fixture) => {
    await fixture.complete('echo one; echo two >&2; echo three; printf rest');
    t.is(await fixture.spooled('task', 'stdout'), 'one\nthree\nrest');
    t.is(await fixture.spooled('task', 'stderr'), 'two\n');
  });

  check(suite, 'a task without a spool runs and can be attached to', async (t, fixture) => {
    const id = await fixture.create(['echo', 'said'], { unspooled: true });
    const { output } = await fixture.driver.io.attach(id);
    await fixture.driver.startTask(id);
    t.is(await textOf(output), 'said\n');
    t.is((await fixture.ended(id)).exitCode, 0);
    t.is(await fixture.driver.io.rotateSpool(id), undefined);
  });

  check(suite, 'a task is attached to once at a time', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    const streams = await fixture.driver.io.attach(id);
    await rejects(t, fixture.driver.io.attach(id), 'conflict', /task/);
    streams.close();
    streams.close();
    (await fixture.driver.io.attach(id)).close();
  });

  check(suite, 'attaching to an exited task is refused', async (t, fixture) => {
    await fixture.complete('true');
    await rejects(t, fixture.driver.io.attach('task'), 'not-found', /not running/);
  });

  check(suite, 'what is written to stdin arrives byte for byte, and its end too', async (t, fixture) => {
    const id = await fixture.create(['cat'], { openStdin: true, stdinOnce: true });
    const streams = await fixture.driver.io.attach(id);
    await fixture.driver.startTask(id);
    const sent = randomBytes(300_000);
    const received = all(streams.output);
    await streams.writeStdin(sent);
    await streams.endStdin();
    await streams.endStdin();
    await rejects(t, streams.writeStdin(Buffer.from('more')), 'conflict');
    t.true((await received).equals(sent));
    t.is((await fixture.ended(id)).exitCode, 0);
  });

  check(suite, 'stdin that closes once closes with the connection', async (t, fixture) => {
    const id = await fixture.run(sh('cat; exit 5'), { openStdin: true, stdinOnce: true });
    const streams = await fixture.driver.io.attach(id);
    streams.close();
    t.is((await fixture.ended(id)).exitCode, 5);
    await rejects(t, streams.writeStdin(Buffer.from('late')), 'conflict');
  });

  check(suite, 'stdin that stays open outlives its connections and their ends', async (t, fixture) => {
    const id = await fixture.run(['cat'], { openStdin: true });
    const first = await fixture.driver.io.attach(id);
    watchOutput(first.output);
    await first.writeStdin(Buffer.from('one\n'));
    await first.endStdin();
    await rejects(t, first.writeStdin(Buffer.from('more')), 'conflict');
    await until('the first line is spooled', async () => (await fixture.spooled(id)) === 'one\n');
    first.close();
    const second = await fixture.driver.io.attach(id);
    const seen = watchOutput(second.output);
    await second.writeStdin(Buffer.from('two\n'));
    await until('the second line comes back', () => seen.text === 'two\n');
    t.is(await fixture.status(id), 'running');
  });

  check(suite, 'a task without stdin takes none', async (t, fixture) => {
    const id = await fixture.create(['cat']);
    const streams = await fixture.driver.io.attach(id);
    await rejects(t, streams.writeStdin(Buffer.from('x')), 'conflict', /stdin/);
    await streams.endStdin();
    await fixture.driver.startTask(id);
    t.is(await textOf(streams.output), '');
    t.is((await fixture.ended(id)).exitCode, 0);
  });

  check(suite, 'a write waits while the process does not read, until the connection closes', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100'], { openStdin: true });
    const streams = await fixture.driver.io.attach(id);
    watchOutput(streams.output);
    const writing = streams.writeStdin(Buffer.alloc(4 * 2 ** 20));
    await waits(t, writing);
    streams.close();
    await rejects(t, writing, 'conflict');
    t.is(await fixture.status(id), 'running');
  });

  check(suite, 'a reader that stops loses nothing', async (t, fixture) => {
    const id = await fixture.create(['cat'], { openStdin: true, stdinOnce: true });
    const streams = await fixture.driver.io.attach(id);
    await fixture.driver.startTask(id);
    // More than all the pipes on the way hold.
    const sent = randomBytes(4 * 2 ** 20);
    const writing = streams.writeStdin(sent).then(() => streams.endStdin());
    await waits(t, writing);
    t.true((await all(streams.output)).equals(sent));
    await writing;
  });

  check(suite, 'a task without a reader is deleted by force', async (t, fixture) => {
    const id = await fixture.create(['cat'], { openStdin: true, stdinOnce: true });
    const streams = await fixture.driver.io.attach(id);
    await fixture.driver.startTask(id);
    const writing = streams.writeStdin(randomBytes(4 * 2 ** 20)).catch(() => 'refused');
    await waits(t, writing);
    await fixture.driver.delete(id, { force: true });
    t.is(await writing, 'refused');
    t.deepEqual(await fixture.driver.tasks(), []);
  });

  check(suite, 'a terminal has one stream, lines as terminals end them, and a size', async (t, fixture) => {
    const id = await fixture.create(sh(sizeScript), { terminal: true, openStdin: true });
    const streams = await fixture.driver.io.attach(id);
    const seen = watchOutput(streams.output);
    await fixture.driver.startTask(id);
    await until('both lines are there', () => seen.text === 'out\r\nerr\r\n');
    await fixture.driver.io.resize(id, { height: 41, width: 132 });
    await until('the size is there', async () => {
      await streams.writeStdin(Buffer.from('\n'));
      return seen.text.includes('41 132\r\n');
    });
    await fixture.driver.kill(id, 9);
    await fixture.ended(id);
    await rejects(t, fixture.driver.io.resize(id, { height: 1, width: 1 }), 'not-found');
  });

  check(suite, 'only a terminal has a size', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await rejects(t, fixture.driver.io.resize(id, { height: 24, width: 80 }), 'conflict', /terminal/);
  });

  check(suite, 'rotation loses no line and repeats none', async (t, fixture) => {
    const id = await fixture.run(['cat'], { openStdin: true, stdinOnce: true });
    const streams = await fixture.driver.io.attach(id);
    watchOutput(streams.output);
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
    const rotated: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const text = lines.slice(turn * 5000, (turn + 1) * 5000).join('');
      const writing = streams.writeStdin(Buffer.from(text));
      rotated.push(await fixture.driver.io.rotateSpool(id));
      await writing;
    }
    await streams.endStdin();
    await fixture.ended(id);
    t.deepEqual(
      rotated,
      [1, 2, 3, 4].map((number) => `${fixture.spool(id)}.${number}`),
    );
    const texts = await Promise.all([...rotated, fixture.spool(id)].map((path) => readSpool(path ?? '')));
    t.is(texts.join(''), lines.join(''));
  });

  check(suite, 'the spool of an exited task can be rotated too', async (t, fixture) => {
    await fixture.complete('echo last');
    const path = await fixture.driver.io.rotateSpool('task');
    t.is(path, `${fixture.spool('task')}.1`);
    t.is(await readSpool(path ?? ''), 'last\n');
  });
}

const readSpool = async (path: string): Promise<string> => textOfSpool(await readFile(path, 'utf8'), 'stdout');

async function all(output: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const { bytes } of output) chunks.push(Uint8Array.from(bytes));
  return Buffer.concat(chunks);
}
