import { execFile } from 'node:child_process';
import { invalidArgument, unavailable } from '../errors/engine-error.js';

/** Runs npm in a directory: in the process of a command, never in the daemon. Rejects with what npm printed. */
export function runNpm(args: readonly string[], directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args], { cwd: directory, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else if (error.code === 'ENOENT') reject(unavailable('npm is not installed: install Node with npm'));
      else reject(invalidArgument(`npm ${args.join(' ')}: ${reasonIn(`${stdout}${stderr}`)}`));
    });
  });
}

/** The lines of npm's errors without those about its own log. */
function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !/complete log of this run|-debug-\d+\.log/.test(line));
  return [...new Set(lines)].join('; ') || output.trim() || 'it failed without a word';
}
