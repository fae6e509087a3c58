import { spawnSync } from 'node:child_process';

/** What systemctl prints. Throws when it fails. */
export function systemctl(...args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync('systemctl', args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`systemctl ${args.join(' ')}: ${status}: ${stderr}`);
  return stdout.trim();
}
