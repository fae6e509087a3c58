import { runCommand } from './run-command.js';

try {
  process.stdout.write(`${await runCommand(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`gantry-hosted: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
