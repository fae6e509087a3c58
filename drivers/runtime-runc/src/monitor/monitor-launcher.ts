import { close } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { Launcher, pipe, readableFrom, writableTo } from '@gantry/lib-linux/launcher';
import { ifPresent } from '../if-present.js';
import { SIGKILL } from '../process-identity.js';
import { scratchIn } from '../runtime/oci-runtime.js';
import { ConmonPath } from '../tokens.js';
import { SyncPipe } from './sync-pipe.js';

interface MonitorLaunch {
  readonly args: readonly string[];
  readonly directory: string;
  /** The directory for the socket a terminal is passed through. */
  readonly consoles?: string | undefined;
  /** See `scratchIn`. */
  readonly scratch: string;
  /** What it waits for; nothing by default. */
  readonly waits?: 'at-start' | 'for-attachment';
}

/** A monitor that is starting a process. Everything here must be closed. */
export interface LaunchedMonitor {
  /** Resolves when it has gone into the background; its pid file exists then, unless it failed before. */
  readonly inBackground: Promise<unknown>;
  readonly sync: SyncPipe;
  /** Where it waits for the attachment: reports when the socket can be connected to. */
  readonly attachable: SyncPipe | undefined;
  /** Ends its wait. */
  proceed(): void;
  /** Closes the daemon's ends. The monitor goes on, and does not wait any longer. */
  close(): void;
  /** Kills one that still waits at its start, and closes. Resolves when it has exited. */
  abandon(): Promise<void>;
}

/** The descriptors passed to conmon, by their purpose. */
const descriptors = { sync: 3, start: 4, attach: 5 } as const;

/** Starts monitors: one conmon for each task and exec. */
@injectable()
export class MonitorLauncher {
  constructor(
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(ConmonPath) private readonly conmon: ConmonPath,
  ) {}

  async launch(request: MonitorLaunch): Promise<LaunchedMonitor> {
    const sync = pipe();
    const fds = new Map<number, number>([
      [2, sync.writeFd],
      [descriptors.sync, sync.writeFd],
    ]);
    // Times in the spool are UTC on every host: parsing those of other zones takes ten times as long.
    const env: Record<string, string> = { _OCI_SYNCPIPE: `${descriptors.sync}`, TZ: 'UTC0' };
    const ownEnds: { close(): void }[] = [];
    const monitorEnds = [sync.writeFd];
    const syncPipe = new SyncPipe(readableFrom(sync.readFd));
    ownEnds.push(syncPipe);
    let attachable: SyncPipe | undefined;
    let start: Writable | undefined;
    if (request.waits !== undefined) {
      const startEnds = pipe();
      fds.set(descriptors.start, startEnds.readFd);
      env._OCI_STARTPIPE = `${descriptors.start}`;
      monitorEnds.push(startEnds.readFd);
      const toStart = writableTo(startEnds.writeFd);
      toStart.on('error', () => undefined);
      start = toStart;
      ownEnds.push({ close: () => toStart.destroy() });
    }
    if (request.waits === 'for-attachment') {
      const attachEnds = pipe();
      fds.set(descriptors.attach, attachEnds.writeFd);
      env._OCI_ATTACHPIPE = `${descriptors.attach}`;
      monitorEnds.push(attachEnds.writeFd);
      attachable = new SyncPipe(readableFrom(attachEnds.readFd));
      ownEnds.push(attachable);
      // It also waits at its start, which needs nothing here.
      start?.write('0');
    }
    if (request.consoles !== undefined) env.TMPDIR = request.consoles;
    Object.assign(env, scratchIn(request.scratch));
    const closeOwnEnds = (): void => {
      for (const each of ownEnds) each.close();
    };
    try {
      const { exited: inBackground, kill } = await this.launcher.launch({
        file: this.conmon,
        args: request.args,
        env,
        // The monitor creates a file here when memory runs out.
        cwd: request.directory,
        fds,
        newSession: true,
      });
      return {
        inBackground,
        sync: syncPipe,
        attachable,
        proceed: () => start?.end('1'),
        close: closeOwnEnds,
        abandon: async () => {
          kill(SIGKILL);
          closeOwnEnds();
          await inBackground;
        },
      };
    } catch (error) {
      closeOwnEnds();
      throw error;
    } finally {
      for (const fd of monitorEnds) close(fd, () => undefined);
    }
  }
}

/** The pid in a file that a monitor or runtime wrote. Undefined when there is none, or not yet. */
export async function readPid(file: string): Promise<number | undefined> {
  const text = await ifPresent(readFile(file, 'utf8'));
  if (text === undefined || text === '') return undefined;
  const pid = Number(text.trim());
  if (!Number.isInteger(pid) || pid <= 0) throw internal(`${file} holds no process id: ${JSON.stringify(text)}`);
  return pid;
}
