import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

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
