/** The `config` object of the image configuration: what containers inherit. A field that is not set is absent. */
export interface ImageConfig {
  readonly User?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Volumes?: Readonly<Record<string, object>>;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly StopSignal?: string;
  readonly Healthcheck?: ImageHealthcheck;
  readonly Shell?: readonly string[];
  readonly OnBuild?: readonly string[];
}

/** Times in nanoseconds. */
export interface ImageHealthcheck {
  readonly Test?: readonly string[];
  readonly Interval?: number;
  readonly Timeout?: number;
  readonly StartPeriod?: number;
  readonly StartInterval?: number;
  readonly Retries?: number;
}
