import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '@gantry/test-nodes';

/** An archive as clients send it for `plugin create`. Its files belong to user 12 and group 13. */
export async function contextOfPlugin(t: Scope, files: Readonly<Record<string, string>>): Promise<Buffer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-plugin-context-'));
  t.teardown(() => rm(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { mode: 0o750 });
  }
  const owner = ['--owner=12', '--group=13'];
  const { stdout } = await promisify(execFile)('tar', ['-c', ...owner, '-C', directory, '.'], { encoding: 'buffer' });
  return stdout;
}
