import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import type { Watcher } from '@gantry/lib-linux/watch';
import type { TaskLayout } from '../layout.js';
import type { ProcessIdentity } from '../process-identity.js';

interface MonitorListener {
  /** The file may exist now. */
  onExitFile(): void;
  onOomFile(): void;
  /** The monitor has exited, after having written the task's exit if it could. */
  onMonitorExit(): void;
}

interface MonitorWatchRequest {
  readonly layout: TaskLayout;
  readonly monitor: ProcessIdentity;
  readonly watcher: Watcher;
  readonly log: Logger;
}

/**
 * Watches for the files a monitor writes about its task, and for the monitor's own exit, which comes with the task's or
 * instead of it. Earlier events are not reported. @returns ends the watch.
 */
export function watchMonitor(request: MonitorWatchRequest, listener: MonitorListener): () => void {
  const { monitor, watcher } = request;
  const files = watchFiles(request, listener);
  const process = watcher.processExit(monitor.pid);
  void process.exited.then(() => listener.onMonitorExit());
  return () => {
    files?.close();
    process.close();
  };
}

function watchFiles({ layout, log }: MonitorWatchRequest, listener: MonitorListener): FSWatcher | undefined {
  try {
    const files = watch(layout.directory, { persistent: false }, (_, name) => {
      if (name === basename(layout.exit)) listener.onExitFile();
      else if (name === basename(layout.oom)) listener.onOomFile();
    });
    // The directory may be removed before the watch is closed.
    files.on('error', () => files.close());
    return files;
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EMFILE')) throw error;
    // The monitor's exit is noticed a moment later and carries the same information.
    log.warn(
      { event: 'task.watch-limit', directory: layout.directory },
      'no more inotify watches: out-of-memory kills are published at exit; raise fs.inotify.max_user_watches',
    );
    return undefined;
  }
}
