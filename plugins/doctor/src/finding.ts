/** `problem`: something does not work. `warning`: it works, but not as well or as safely as it could. */
export type Level = 'ok' | 'warning' | 'problem';

/** One thing that was looked at. */
export interface Finding {
  /** `kernel.overlayfs`: for programs, the same in every version. */
  readonly id: string;
  /** For people: `overlayfs`. */
  readonly title: string;
  readonly level: Level;
  /** What was found. */
  readonly found: string;
  /** What it is for, or what follows from it. */
  readonly meaning: string;
  /** What to do, where there is something to do. */
  readonly remedy?: string;
}

export interface Report {
  /** RFC 3339. */
  readonly time: string;
  /** Whether a daemon has looked, which knows more than the command alone. */
  readonly daemon: boolean;
  /** The worst of the findings. */
  readonly level: Level;
  readonly findings: readonly Finding[];
}
