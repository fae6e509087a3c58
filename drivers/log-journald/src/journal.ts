/** The location of a journal. */
export interface Journal {
  readonly socket: string;
  readonly journalctl: string;
  /** Arguments of journalctl that choose the journal. */
  readonly scope: readonly string[];
}

/** Injects the journal of the configuration. */
export const Journal = Symbol('journal');
