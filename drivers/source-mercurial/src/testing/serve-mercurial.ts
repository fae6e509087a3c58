import { spawn } from 'node:child_process';
import { serveProgram } from '@gantry/lib-source/testing';
import type { ExecutionContext } from 'ava';

/** `hg serve` for one repository. */
export async function serveMercurial(t: ExecutionContext, repository: string): Promise<string> {
  const env = { ...process.env, HGRCPATH: '' };
  const port = await serveProgram(t, (free) =>
    spawn('hg', ['serve', '-R', repository, '-a', '127.0.0.1', '-p', free], { stdio: 'ignore', env }),
  );
  return `http://127.0.0.1:${port}`;
}
