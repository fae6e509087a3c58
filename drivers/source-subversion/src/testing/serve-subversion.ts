import { spawn } from 'node:child_process';
import { serveProgram } from '@gantry/lib-source/testing';
import type { ExecutionContext } from 'ava';

/** svnserve for the repositories below a directory. */
export async function serveSubversion(t: ExecutionContext, directory: string): Promise<string> {
  const where = ['--listen-host', '127.0.0.1', '--root', directory];
  const port = await serveProgram(t, (free) =>
    spawn('svnserve', ['--daemon', '--foreground', ...where, '--listen-port', free], { stdio: 'ignore' }),
  );
  return `svn://127.0.0.1:${port}`;
}
