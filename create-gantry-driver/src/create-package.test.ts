import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { createPackage } from './create-package.js';
import { kinds, needsOfKind } from './kinds.js';
import { main } from './main.js';

const run = promisify(execFile);
const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));

async function emptyDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-create-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

/** What the program says, and its exit code. */
async function called(...args: readonly string[]) {
  const lines: string[] = [];
  const code = await main(args, { print: (line) => lines.push(line), complain: (line) => lines.push(line) });
  return { code, said: lines.join('\n') };
}

for (const kind of kinds) {
  const { languages, noun } = needsOfKind(kind);
  for (const language of languages) {
    test(`a new ${noun} in ${language} passes its tests, and no placeholder is left in its README`, async (t) => {
      t.timeout(300_000);
      const directory = join(await emptyDirectory(t), 'package');
      await createPackage({ kind, id: 'new-one', language, directory });
      await symlink(installed, join(directory, 'node_modules'));
      const { scripts } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
      const PATH = `${installed}/.bin:${process.env.PATH}`;
      const { stdout } = await run('sh', ['-c', scripts.test], { cwd: directory, env: { ...process.env, PATH } });
      t.regex(stdout, kind === 'plugin' ? /^# pass [1-9]\d*\n# fail 0$/m : /^[1-9]\d* passed, 0 failed$/m);
      const readme = await readFile(join(directory, 'README.md'), 'utf8');
      t.regex(readme, new RegExp(`^# \`gantry-${kind}-new-one\`\n`));
      t.notRegex(readme, /__|\*\*/);
    });
  }
}

test('a directory that has something in it is refused, and nothing is written', async (t) => {
  const directory = await emptyDirectory(t);
  await writeFile(join(directory, 'mine.txt'), 'mine');
  const { code, said } = await called('volume', 'nfs', '--directory', directory);
  t.is(code, 2);
  t.true(said.includes(`${directory} is not empty: "mine.txt" is in it`));
  t.deepEqual(await readdir(directory), ['mine.txt']);
});

test('what is created is named, with what to do next', async (t) => {
  const directory = join(await emptyDirectory(t), 'here');
  await mkdir(directory);
  const { code, said } = await called('log', 'loki', '--language=javascript', '--directory', directory);
  t.is(code, 0);
  t.regex(
    said,
    /^The log driver "loki" is in .*\n {2}\.gitignore\n {2}README\.md\n {2}package\.json\n {2}src\/index\.js\n/,
  );
  t.regex(said, /npm install && npm test$/);
});

for (const [args, complaint] of [
  [[], 'a kind and a name are wanted'],
  [['volume'], 'a kind and a name are wanted'],
  [['volume', 'a', 'b'], '"b" follows the name'],
  [['disk', 'a'], '"disk" is not a kind: there are volume, log, network, plugin'],
  [['volume', 'NFS'], '"NFS" is not a name: a lower-case letter, then lower-case letters, digits and dashes'],
  [['volume', 'a', '--language', 'rust'], '--language: "rust" is not one of typescript, javascript'],
  [['plugin', 'a', '--language', 'javascript'], '--language: "javascript" is not one of typescript'],
  [['volume', 'a', '--force'], "Unknown option '--force'"],
] as const) {
  test(`refused: create-gantry-driver ${args.join(' ')}`, async (t) => {
    const { code, said } = await called(...args);
    t.is(code, 2);
    t.true(said.startsWith(`create-gantry-driver: ${complaint}`), said);
  });
}
