import { close } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { internal } from '@gantry/core/errors';
import { pipe, readableFrom, writableTo } from '@gantry/lib-linux/launcher';
import { ifThere } from '../errno.js';
import type { Ports } from '../ports.js';
import { scratchIn } from '../runtime/oci-runtime.js';
import { SyncPipe } from './sync-pipe.js';

export interface MonitorLaunch {
  /** The path of conmon, or the name to look for. */
  readonly conmon: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** Where it makes the socket a terminal is handed over through. */
  readonly consoles?: string | undefined;
  /** See `scratchIn`. */
  readonly scratch: string;
  /** It waits before it starts the process, until somebody has attached. */
  readonly attachFirst?: boolean;
}

/** A monitor that is starting a process. Everything here must be closed. */
export interface LaunchedMonitor {
  /** Resolves when it has gone into the background: then its pid file is there, if it came that far. */
  readonly inBackground: Promise<unknown>;
  readonly sync: SyncPipe;
  /** With `attachFirst`: reports when the socket can be connected to. */
  readonly attachable: SyncPipe | undefined;
  /** With `attachFirst`: lets it go on. */
  proceed(): void;
  /** Frees what is open here. The monitor goes on. */
  close(): void;
}

/** The descriptors conmon is given, by what they are to it. */
const descriptors = { sync: 3, start: 4, attach: 5 } as const;

/** Starts conmon. */
export async function launchMonitor(ports: Ports, request: MonitorLaunch): Promise<LaunchedMonitor> {
  const sync = pipe();
  const fds = new Map<number, number>([
    [2, sync.writeFd],
    [descriptors.sync, sync.writeFd],
  ]);
  // Times in the spool are UTC wherever the host is: those of other zones take the readers ten times as long.
  const env: Record<string, string> = { _OCI_SYNCPIPE: `${descriptors.sync}`, TZ: 'UTC0' };
  const ours: { close(): void }[] = [];
  const theirs = [sync.writeFd];
  const syncPipe = new SyncPipe(readableFrom(sync.readFd));
  ours.push(syncPipe);
  let attachable: SyncPipe | undefined;
  let start: Writable | undefined;
  if (request.attachFirst === true) {
    const [startEnds, attachEnds] = [pipe(), pipe()];
    fds.set(descriptors.start, startEnds.readFd);
    fds.set(descriptors.attach, attachEnds.writeFd);
    env._OCI_STARTPIPE = `${descriptors.start}`;
    env._OCI_ATTACHPIPE = `${descriptors.attach}`;
    theirs.push(startEnds.readFd, attachEnds.writeFd);
    attachable = new SyncPipe(readableFrom(attachEnds.readFd));
    const toStart = writableTo(startEnds.writeFd);
    toStart.on('error', () => undefined);
    // It waits twice: before anything else, for what has nothing to be waited for here, and for the attachment.
    toStart.write('0');
    start = toStart;
    ours.push(attachable, { close: () => toStart.destroy() });
  }
  if (request.consoles !== undefined) env.TMPDIR = request.consoles;
  Object.assign(env, scratchIn(request.scratch));
  const closeOurs = (): void => {
    for (const each of ours) each.close();
  };
  try {
    const { exited: inBackground } = await ports.launcher.launch({
      file: request.conmon,
      args: request.args,
      env,
      // It leaves a file here when memory runs out.
      cwd: request.directory,
      fds,
      newSession: true,
    });
    return { inBackground, sync: syncPipe, attachable, proceed: () => start?.end('1'), close: closeOurs };
  } catch (error) {
    closeOurs();
    throw error;
  } finally {
    for (const fd of theirs) close(fd, () => undefined);
  }
}

/** The pid in a file that a monitor or runtime wrote. Undefined when there is none, or not yet. */
export async function readPid(file: string): Promise<number | undefined> {
  const text = await ifThere(readFile(file, 'utf8'));
  if (text === undefined || text === '') return undefined;
  const pid = Number(text.trim());
  if (!Number.isInteger(pid) || pid <= 0) throw internal(`${file} holds no process id: ${JSON.stringify(text)}`);
  return pid;
}
