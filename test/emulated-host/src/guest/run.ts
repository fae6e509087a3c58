import { spawnSync } from 'node:child_process';

/** Runs a program to its end. Throws when it fails. */
export function run(program: string, ...args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}: ${stderr}${stdout}`);
  return stdout.trim();
}
