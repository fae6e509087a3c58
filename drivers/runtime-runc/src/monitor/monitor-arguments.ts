import { commonArguments, type OciRuntime } from '../runtime/oci-runtime.js';

/** What the monitors of tasks and of execs have in common. */
interface MonitorArguments {
  readonly id: string;
  readonly runtime: OciRuntime;
  readonly runtimeRoot: string;
  /** Where the monitor makes its sockets. */
  readonly directory: string;
  readonly pidFile: string;
  readonly monitorPidFile: string;
  readonly terminal: boolean;
  readonly openStdin: boolean;
}

interface TaskMonitorArguments extends MonitorArguments {
  readonly stdinOnce: boolean;
  readonly spool: string | undefined;
}

interface ExecMonitorArguments extends MonitorArguments {
  readonly execId: string;
  readonly processFile: string;
  /** Where the runtime also logs, as JSON; undefined: nowhere. */
  readonly log: string | undefined;
  readonly attach: boolean;
}

/** conmon's arguments for the monitor of a task. */
export const taskMonitorArguments = (request: TaskMonitorArguments): readonly string[] => [
  ...shared(request, request.id),
  // The exit code, and whether memory ran out, are written to the task's directory.
  '--persist-dir',
  request.directory,
  '--log-path',
  request.spool === undefined ? 'none' : `k8s-file:${request.spool}`,
  // Otherwise stdin ends with the first connection, that is with the daemon.
  ...(request.openStdin && !request.stdinOnce ? ['--leave-stdin-open'] : []),
];

/** conmon's arguments for the monitor of an exec. */
export const execMonitorArguments = (request: ExecMonitorArguments): readonly string[] => [
  ...shared(request, request.execId),
  ...(request.log === undefined ? [] : ['--log', request.log, '--log-format', 'json'].flatMap(toRuntimeArgument)),
  '--exec',
  '--exec-process-spec',
  request.processFile,
  ...(request.attach ? ['--exec-attach'] : []),
  '--log-path',
  'none',
];

const toRuntimeArgument = (argument: string): readonly string[] => ['--runtime-arg', argument];

const shared = (request: MonitorArguments, uuid: string): readonly string[] => [
  '--api-version',
  '--cid',
  request.id,
  '--cuuid',
  uuid,
  '--name',
  uuid,
  '--runtime',
  request.runtime.path,
  ...commonArguments(request.runtime, request.runtimeRoot).flatMap(toRuntimeArgument),
  '--bundle',
  request.directory,
  '--container-pidfile',
  request.pidFile,
  '--conmon-pidfile',
  request.monitorPidFile,
  // The socket goes into the directory itself, however long its path.
  '--full-attach',
  // Durability is up to the log driver; an exit must not wait for the disk.
  '--no-sync-log',
  ...(request.terminal ? ['--terminal'] : []),
  ...(request.openStdin ? ['--stdin'] : []),
];
