import { createRequire } from 'node:module';
import { runCommand } from './run/run-command.js';

const usage = [
  'usage: gantry run [FLAGS] IMAGE [COMMAND] [ARGUMENT...]   see gantry run --help',
  '       gantry --version',
  '',
  'The daemon is gantryd.',
].join('\n');

/** Read here, since the core takes its time to load. */
const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };

/** The program `gantry`, from its arguments to its exit code. */
export async function gantry(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'run') return runCommand(rest, process);
  if (command === '--version') process.stdout.write(`gantry ${version}\n`);
  else if (command === '--help' || command === '-h') process.stdout.write(`${usage}\n`);
  else {
    const wrong = command === undefined ? 'a command is missing' : `"${command}" is not a command`;
    process.stderr.write(`gantry: ${wrong}: see gantry --help\n`);
    return 2;
  }
  return 0;
}
