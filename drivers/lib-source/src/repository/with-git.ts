import type { Launcher } from '@gantry/lib-linux/launcher';
import type { Processes } from '@gantry/lib-linux/processes';
import { Git } from '../git/git.js';
import { ToolSandbox } from '../sandbox/tool-sandbox.js';

/** What work on a converted repository uses of the host. */
export interface HostRepositoryOptions {
  /** A directory for this source alone, for temporary files. */
  readonly scratch: string;
  readonly launcher: Launcher;
  readonly processes: Processes;
  readonly signal?: AbortSignal;
}

/** Runs git on repositories of this host, in a sandbox that is closed afterwards. */
export async function withGit<T>(
  options: HostRepositoryOptions,
  work: (git: Git, sandbox: ToolSandbox) => Promise<T>,
): Promise<T> {
  // No source is involved that could stall.
  const sandbox = await ToolSandbox.open({ ...options, stallSeconds: 24 * 3600 });
  try {
    return await work(await Git.open(sandbox, { allowLocalFiles: true }), sandbox);
  } finally {
    await sandbox.close();
  }
}
