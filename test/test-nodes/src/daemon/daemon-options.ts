export interface DaemonOptions {
  /** `gantryd.js` of an installation; the default is the project's own. */
  readonly program?: string;
  /** Packages beside the default ones. */
  readonly extraPackages?: readonly string[];
  /** Configuration of further drivers. */
  readonly drivers?: Readonly<Record<string, object>>;
  /** The drivers that the engine chooses by default, where they are others than the product's. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Configuration of further plugins, or more of those every daemon of tests has. */
  readonly plugins?: Readonly<Record<string, object>>;
  /** Of the daemon's process, beside this one's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its roots are made; the default is the directory for temporary files. */
  readonly place?: string;
  /** Called before its first start with the directory in which `data` will be its data root. */
  readonly prepare?: (directory: string) => Promise<void>;
  readonly logLevel?: string;
  /** Whose subordinate ids containers have. */
  readonly usernsRemap?: string;
  /** A program that runs the daemon, given as its arguments, and becomes it: for namespaces of its own. */
  readonly within?: readonly string[];
}
