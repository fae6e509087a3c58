/** A repository for the suite to import, such as one behind a server on the loopback. */
export interface SourceFixture {
  readonly url: string;
  /** How many commits its default branch becomes. */
  readonly commits: number;
  /** The project to import, where the URL has several. */
  readonly project?: string;
  /** Stops the server. */
  close?(): Promise<void> | void;
}
