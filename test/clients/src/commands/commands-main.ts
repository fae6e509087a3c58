import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandOutcome, readCommands, runCommands } from './run-commands.js';
import { writeFiles } from './write-files.js';

// `npm run commands -- docker=SOCKET gantry=SOCKET`: runs the commands on both with the docker CLI, and prints a table.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    docker: { type: 'string', default: 'docker' },
    version: { type: 'string', multiple: true, default: ['1.24', '1.41', '1.51'] },
    /** One that both engines' hosts have, to make a swarm by. */
    address: { type: 'string', default: '127.0.0.1' },
    seconds: { type: 'string', default: '60' },
    // Writes the exit codes of the first engine, by which `npm run test:clients` judges.
    record: { type: 'string' },
  },
});

/** Removes everything but the image that the commands use. */
const cleanUp = [
  ...['$D swarm leave --force', '$D ps --all --quiet | xargs -r $D rm --force --volumes'],
  ...[
    '$D network prune --force',
    '$D volume prune --all --force',
    '$D plugin ls --quiet | xargs -r $D plugin rm --force',
  ],
  '$D images --format "{{.Repository}}:{{.Tag}}" | grep -v -e ^busybox:latest -e none | xargs -r $D rmi --force',
  '$D image prune --force',
].join('; ');

const commands = await readCommands();
const [first, second] = positionals.map((argument) => argument.split('=', 2));
const recorded: Record<string, Record<string, number | null>> = {};
for (const version of values.version) {
  const [one = {}, other = {}] = await Promise.all([outcomesOf(first, version), outcomesOf(second, version)]);
  recorded[version] = Object.fromEntries(Object.entries(one).map(([name, { code }]) => [name, code]));
  let same = 0;
  for (const { line, name } of commands) {
    const [left, right] = [one[name], other[name]];
    if (isSame(left, right)) same += 1;
    else console.log(`${version}  ${name}\n    ${line}\n${shown(first, left)}${shown(second, right)}`);
  }
  console.log(`${version}: ${same} of ${commands.length} the same`);
}
if (values.record !== undefined) await writeFile(values.record, `${JSON.stringify(recorded, undefined, 1)}\n`);

async function outcomesOf(engine: readonly string[] | undefined, version: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-commands-'));
  const { DOCKER_API_VERSION: _other, ...environment } = process.env;
  const shared = { ...environment, DOCKER_HOST: `unix://${engine?.[1]}`, D: values.docker, LC_ALL: 'C.UTF-8' };
  const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<CommandOutcome> =>
    new Promise((resolve) => {
      const options = { cwd: directory, env: { ...shared, ...env }, maxBuffer: 2 ** 26 };
      const words = ['--signal=KILL', values.seconds, 'bash', '-c', line];
      const child = execFile('timeout', words, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' && error.code !== 137 ? error.code : null;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end();
    });
  const commandsOf = { W: directory, ADDRESS: values.address, DOCKER_API_VERSION: version };
  try {
    await writeFiles(directory);
    await run(cleanUp);
    return await runCommands((line) => run(line, commandsOf));
  } finally {
    await run(cleanUp);
    await rm(directory, { recursive: true });
  }
}

function isSame(left: CommandOutcome | undefined, right: CommandOutcome | undefined): boolean {
  return left?.code === right?.code && left?.stdout === right?.stdout && left?.stderr === right?.stderr;
}

function shown([name]: readonly string[] = [], outcome: CommandOutcome | undefined): string {
  const output = [outcome?.stdout, outcome?.stderr].filter(Boolean).join('\n');
  return `  ${name}: ${outcome?.code}\n${output.replace(/^/gm, '      ')}\n`;
}
