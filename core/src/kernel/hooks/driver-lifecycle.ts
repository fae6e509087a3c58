import type { DriverPoint, FindService } from '../points/driver-point.js';
import type { DriverUse } from './driver-use.js';
import type { EngineSettings } from './engine-settings.js';
import type { Measurement } from './measurement.js';
import type { Orphan } from './orphan.js';

/** Lines to print, and the exit code. */
export type CommandOutput = AsyncIterable<string, number | undefined> | AsyncIterable<string, void>;

/**
 * A command of `gantryd NAME` that the daemon answers, for its own user alone: takes what follows the name on the command
 * line, gives the lines to print, and returns the exit code, 0 by default. What it throws is the command's error.
 */
export type OperatorCommand = (args: readonly string[]) => CommandOutput;

/** What a command has that the program of the command line runs by itself. Nothing of the engine has started there. */
export interface OfflineContext {
  /** The configuration that a daemon would have. */
  readonly settings: ReturnType<EngineSettings['read']>;
  /** The file of that configuration, as it was given; undefined without one. */
  readonly configFile: string | undefined;
  /** Whether a daemon runs with this configuration. It does not know the command, or it would have answered. */
  readonly isDaemonRunning: boolean;
  /** Where a daemon's packages keep what survives a reboot; not that of the settings when containers' users are remapped. */
  readonly dataRoot: string;
  /** Makes a port that has a fallback, such as the host's mounts. */
  readonly port: FindService;
  /**
   * Makes the default driver of a kind that requires ports alone, such as an archive driver. It has empty directories of
   * its own, for as long as the command runs, and the host's user ids.
   */
  readonly driver: <T extends object>(point: DriverPoint<T>) => Promise<T>;
  /** Lines that the running daemon answers a command with. @throws EngineError `unavailable` when none runs. */
  readonly ask: (command: string, args: readonly string[]) => AsyncIterable<string>;
}

/**
 * A command of `gantryd NAME` that the program of the command line runs by itself when no daemon answers it: none runs, or the
 * one that runs does not know it.
 */
export type OfflineCommand = (args: readonly string[], context: OfflineContext) => CommandOutput;

/** A driver of which another version has taken over. */
export interface ReplacedDriver {
  /** Kind and id, such as `volume/nfs`. */
  readonly name: string;
  /** The version that answers from now on. */
  readonly driver: object;
}

/** Leave out what is not needed. `C` is the parsed configuration. */
export interface DriverLifecycle<C = unknown> {
  /** Reconciles what a crash left, opens sockets. Called once, after everything required has started. */
  start?(signal: AbortSignal): Promise<void>;
  /** Called once, after every package has started: the time to let clients in. */
  ready?(signal: AbortSignal): Promise<void>;
  /**
   * Takes over a changed section of the configuration, already parsed, while it works: all of it, or none and rejects.
   * Without this hook a changed section counts from the next start.
   */
  reconfigure?(config: C, signal: AbortSignal): Promise<void>;
  /** Called when a reload of the configuration begins, before anything is read. */
  reloadBegins?(): void;
  /** Called when a reload has ended, whether it succeeded or not. */
  reloadEnds?(): void;
  /** Called after each reload of the configuration, once every package has its new section. */
  reloaded?(): void;
  /**
   * Called once before any package stops, for all in parallel: refuses new work, and finishes or rolls back what runs,
   * until the signal aborts. Everything the package requires still works.
   */
  drain?(signal: AbortSignal): Promise<void>;
  /** Called in the reverse order of start, after every package has drained. */
  stop?(signal: AbortSignal): Promise<void>;
  /**
   * Lists the orphans among the package's resources for `gantryd check`. Called while the engine runs: what is being
   * created or removed is not an orphan.
   */
  findOrphans?(): Promise<readonly Orphan[]>;
  /**
   * Lists the drivers that running containers and the like need. Asked once all packages have started: the engine does
   * not start without a driver in use that the configuration had before.
   */
  driversInUse?(): readonly DriverUse[];
  /**
   * Lists what refers to drivers beside what runs: stored volumes, containers that are stopped. A driver that is ready does
   * not leave while something refers to it.
   */
  driverReferences?(): readonly DriverUse[];
  /**
   * Another version of a driver has taken over. It knows what is on disk, but nothing that was asked of the older one
   * since the daemon started: repeats that on `replaced.driver`, which is not shared yet where the kind's takeover is
   * exclusive, so that calls through a driver set would wait for this hook. No change that is made by `asOneCall` is half
   * done. A rejection returns to the older version.
   */
  driverReplaced?(replaced: ReplacedDriver, signal: AbortSignal): Promise<void>;
  /**
   * What the package counts and measures, for `/metrics`. Called at every scrape while the engine runs, so it must be cheap:
   * counters are kept as things happen, and what is read from the kernel is read once.
   */
  measure?(signal: AbortSignal): Promise<readonly Measurement[]> | readonly Measurement[];
  /** The commands that the package offers to operators, by name, such as `console` for `gantryd console`. */
  readonly commands?: Readonly<Record<string, OperatorCommand>>;
  /**
   * The engine has become idle after work: releases what is only kept for speed, such as idle threads and buffers, and does
   * what a client would wait for otherwise. New work may arrive meanwhile.
   */
  onIdle?(): Promise<void> | void;
}
