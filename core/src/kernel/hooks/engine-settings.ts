/** Injects the configuration as it was last read, for packages that show it. What packages keep secret is in it. */
export interface EngineSettings {
  read(): {
    /** Of the engine itself. */
    readonly engine: Readonly<Record<string, unknown>>;
    /** By names such as `volume/local` and `containers`, with the defaults of what is not set. */
    readonly packages: Readonly<Record<string, unknown>>;
  };
}
export const EngineSettings = Symbol.for('gantry.engine-settings');
