/** Where a journal is. */
export interface Journal {
  readonly socket: string;
  readonly journalctl: string;
  /** Arguments of journalctl that choose the journal. */
  readonly scope: readonly string[];
}
