/** Packages that make up an engine together, such as those of the package `gantry`. */
export interface Distribution {
  /** The configuration that holds where a file leaves a top-level key out: which packages make up the engine. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the packages that `config` names are looked for. */
  readonly directory: string;
  /** The URLs to import instead of the packages' own entries, by name, where they are bundled. */
  readonly bundle?: ReadonlyMap<string, string>;
}

/** The core alone: the configuration has to name every package. */
export const coreAlone: Distribution = { config: {}, directory: process.cwd() };
