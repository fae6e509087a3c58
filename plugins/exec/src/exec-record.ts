import type { ExecProcess, TerminalSize } from '@gantry/core/contracts';

/** What a client asked for. */
export interface ExecConfig {
  readonly args: readonly string[];
  readonly attachStdin: boolean;
  readonly attachStdout: boolean;
  readonly attachStderr: boolean;
  readonly tty: boolean;
  readonly privileged: boolean;
  /** Empty: the container's. */
  readonly user: string;
  readonly env: readonly string[];
  readonly workingDir: string;
  /** As written; empty: the default sequence. */
  readonly detachKeys: string;
  /** Of the terminal. */
  readonly consoleSize?: TerminalSize;
}

/** One exec instance, in memory only: its process ends with the daemon's connection to it. */
export interface Exec {
  readonly id: string;
  readonly containerId: string;
  readonly config: ExecConfig;
  state: ExecState;
}

export type ExecState =
  | { readonly status: 'created' }
  /** `settled` resolves when the start has succeeded or failed; the store calls `settle` then. */
  | { readonly status: 'starting'; readonly settled: Promise<void>; readonly settle: () => void }
  | { readonly status: 'running'; readonly process: ExecProcess }
  | { readonly status: 'exited'; readonly exitCode: number; readonly pid: number };
