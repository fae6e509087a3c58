import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { pushShellImage } from './testing/push-image.js';
import { startStubRegistry } from './testing/stub-registry.js';
import { Terminal } from './testing/terminal.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The commands of the example's README, in order. */
test("the commands of the embedded engine's README work", async (t) => {
  t.teardown(() => rm('/tmp/gantry-run-example', { recursive: true, force: true }));
  const readme = await readFile(`${root}examples/embedded-engine/README.md`, 'utf8');
  const commands = (/```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '').trim().split('\n');
  t.is(commands[0], 'npm run build'); // as it is for the tests
  const outputs: string[] = [];
  for (const command of commands.slice(1)) {
    const [program = '', ...words] = command.split(' ');
    outputs.push((await run(program, words, { cwd: root })).stdout);
  }
  t.regex(
    outputs[0] ?? '',
    /^a command in a container: Linux\na page of inside: a page\nothers may use unix:\/\/\/run\/gantry/,
  );
  t.is(outputs[1], 'hello\n');
});

test('gantry run pulls an image from a registry, and connects its shell with the terminal', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-run-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const image = await pushShellImage(await startStubRegistry(t));
  const flags = ['--directory', directory, '--network', 'none', '-it'];
  const command = [process.execPath, `${root}gantry/bin/gantry.js`, 'run', ...flags, image];
  const terminal = Terminal.open(t, command, { rows: 33, columns: 99 });
  await terminal.shows(/^ready> /m);
  t.regex(terminal.output, /Pulling from shell[\s\S]*Downloaded newer image/);
  terminal.type('test -t 0 && test -t 1 && test -t 2 && echo a "terminal"\n');
  await terminal.shows(/^a terminal$/m);
  t.is(terminal.output.match(/echo a "terminal"/g)?.length, 1, 'the shell alone echoes');
  terminal.type('until [ "$(stty size)" = "33 99" ]; do :; done; echo as "large"\n');
  await terminal.shows(/^as large$/m);
  await terminal.resize({ rows: 44, columns: 111 });
  terminal.type('until [ "$(stty size)" = "44 111" ]; do :; done; echo resized "now"\n');
  await terminal.shows(/^resized now$/m);
  // A shell that is interrupted while it starts a program waits for that to end: each ends soon.
  terminal.type('trap "echo interrupted; over=1" INT; echo waits "now"; until [ "$over" ]; do sleep 1; done\n');
  await terminal.shows(/^waits now$/m);
  terminal.type('\x03');
  await terminal.shows(/^(\^C)?interrupted$/m);
  terminal.type('exit 7\n');
  t.is(await terminal.ended(), 7);
  t.regex(terminal.output, /\sisig icanon .*\secho\s/, 'the terminal is as it was');
});
