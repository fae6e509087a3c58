/** Something that a package counts or measures, for `/metrics` and the console. */
export interface Measurement {
  /**
   * By Prometheus' conventions, without the engine's prefix: in base units, which the name ends in, with `_total` behind
   * those of a counter. Such as `containers`, `image_pulls_total` and `state_commit_seconds_total`.
   */
  readonly name: string;
  /** A counter only rises, from 0 at the start of the daemon or of what it belongs to. */
  readonly type: 'counter' | 'gauge';
  /** What it is, in one sentence without a full stop. */
  readonly help: string;
  /** One for each combination of labels, of which there must be a bounded number. */
  readonly values: readonly MeasuredValue[];
}

export interface MeasuredValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Injects what the running packages measure, for packages that publish it. */
export interface PackageMeasurements {
  /** Asks all packages at once. What one of them cannot measure is logged and left out. */
  take(signal: AbortSignal): Promise<readonly Measurement[]>;
}
export const PackageMeasurements = Symbol.for('gantry.package-measurements');
