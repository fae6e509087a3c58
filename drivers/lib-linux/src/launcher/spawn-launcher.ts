import { isErrno } from '../errors/linux-error.js';
import type { LaunchedProcess, Launcher, LaunchRequest } from './launcher.js';
import { forgetProgram, programDirectories, programPath } from './program-path.js';
import { run } from './run.js';
import { spawn } from './spawn.js';
import { stream } from './stream.js';
import { superviseChild } from './supervise-child.js';

/** Starts programs by posix_spawn(3) on a thread of the pool. */
export class SpawnLauncher implements Launcher {
  async launch(request: LaunchRequest): Promise<LaunchedProcess> {
    try {
      return await this.#launch(request);
    } catch (error) {
      if (!isErrno(error, 'ENOENT') || request.file.includes('/')) throw error;
      // An upgrade may have moved it to another directory since.
      forgetProgram(request.file);
      return this.#launch(request);
    }
  }

  run: Launcher['run'] = (file, args, options) => run(this, file, args, options);
  stream: Launcher['stream'] = (file, args, options) => stream(this, file, args, options);

  async #launch({ file, args, env, cwd, fds, newSession }: LaunchRequest): Promise<LaunchedProcess> {
    const complete = { PATH: programDirectories.join(':'), ...env };
    const pid = await spawn({
      path: await programPath(file),
      args: [file, ...args],
      env: Object.entries(complete).map(([name, value]) => `${name}=${value}`),
      cwd,
      fds: fds ?? new Map(),
      newSession: newSession ?? false,
    });
    return superviseChild(pid);
  }
}
