import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end. Rejects with what it printed when it fails. */
export async function runProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`${file}: ${printed.trim() || `exit ${code ?? signal}`}`);
}
