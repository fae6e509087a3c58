/** Injects what the service manager asked for. */
export const ServiceSettings = Symbol('gantry.service-manager.settings');

/** What the service manager asked for when it started the process: sd_notify(3), sd_watchdog_enabled(3). */
export interface ServiceSettings {
  /** Where notifications go. */
  readonly socket: string;
  /** Milliseconds after which it takes a silent process for hung; undefined when it does not watch. */
  readonly watchdog: number | undefined;
}

/** Undefined when no service manager waits for notifications. */
export function readSettings(environment: NodeJS.ProcessEnv, pid: number): ServiceSettings | undefined {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: watched } = environment;
  if (socket === '') return undefined;
  const isWatched = /^[1-9]\d*$/.test(microseconds) && (watched === undefined || Number(watched) === pid);
  return { socket, watchdog: isWatched ? Number(microseconds) / 1000 : undefined };
}
