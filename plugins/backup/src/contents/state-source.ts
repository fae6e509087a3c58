/** A copy of the records as they were at one moment, for as long as it is needed. */
interface StateCopy {
  /** The directory that holds it. */
  readonly directory: string;
  release(): Promise<void>;
}

/** Where the records of an engine come from. */
export interface StateSource {
  /** The state driver's directory, relative to the data root. */
  readonly path: string;
  /** What the engine knows to be elsewhere, such as volumes of other drivers, for people. */
  readonly elsewhere: readonly string[];
  copy(): Promise<StateCopy>;
}
