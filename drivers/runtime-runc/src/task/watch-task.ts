import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import type { Watcher } from '@gantry/lib-linux/watch';
import type { TaskLayout } from '../layout.js';
import type { ProcessIdentity } from '../process-identity.js';

export interface TaskListener {
  /** The file may be there now. */
  onExitFile(): void;
  onOomFile(): void;
  /** The monitor has ended, after having written the exit if it could. */
  onMonitorEnd(): void;
}

export interface WatchTaskRequest {
  readonly layout: TaskLayout;
  readonly monitor: ProcessIdentity;
  readonly watcher: Watcher;
  readonly log: Logger;
}

/**
 * Watches for what a monitor writes about its task, and for its own end, which comes with the exit or instead of it.
 * What happened before is not told. @returns ends the watch.
 */
export function watchTask(request: WatchTaskRequest, listener: TaskListener): () => void {
  const { monitor, watcher } = request;
  const files = watchFiles(request, listener);
  const process = watcher.processExit(monitor.pid);
  void process.exited.then(() => listener.onMonitorEnd());
  return () => {
    files?.close();
    process.close();
  };
}

function watchFiles({ layout, log }: WatchTaskRequest, listener: TaskListener): FSWatcher | undefined {
  try {
    const files = watch(layout.directory, { persistent: false }, (_, name) => {
      if (name === basename(layout.exit)) listener.onExitFile();
      else if (name === basename(layout.oom)) listener.onOomFile();
    });
    // The directory may go before the watch does.
    files.on('error', () => files.close());
    return files;
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EMFILE')) throw error;
    // The end of the monitor tells the exit just as well, a moment later.
    log.warn(
      { event: 'task.watch-limit', directory: layout.directory },
      'no more inotify watches: memory kills are told at the exit; raise fs.inotify.max_user_watches',
    );
    return undefined;
  }
}
