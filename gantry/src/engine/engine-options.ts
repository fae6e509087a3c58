import type { KernelOptions, Logger } from '@gantry/core';

/** How an engine within a program is made. */
export interface EngineOptions {
  /**
   * Where images, volumes and containers are. Without it they are in a directory below that for temporary files, which
   * is deleted when the engine is closed.
   */
  readonly directory?: string;
  /**
   * Whether containers end with the engine, or run on after it is closed, until an engine with the same directory is
   * created. Default `end`.
   */
  readonly containers?: 'end' | 'survive';
  /** Further places to listen at: `unix:///path`, `tcp://127.0.0.1:2375`. See `Engine.listen` for the usual one. */
  readonly hosts?: readonly string[];
  /**
   * Packages to load, by name or path; default: all of the distribution. Of a list of one's own all are needed. A relative
   * path is one from the working directory of the program.
   */
  readonly packages?: readonly (string | { readonly package: string; readonly optional?: boolean })[];
  /** Drivers and plugins that the program imports itself; without `packages` they are the whole engine. */
  readonly use?: NonNullable<KernelOptions['use']>;
  /** Drivers to use where none is asked for, by kind. */
  readonly defaults?: Readonly<Record<string, string | readonly string[]>>;
  /** Sections of drivers, by kind and id such as `network/bridge`. */
  readonly drivers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Sections of plugins, by id. */
  readonly plugins?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The name of its bridge, table of the firewall and control groups; default: made of the directory. */
  readonly name?: string;
  readonly log?: Logger;
  /**
   * Whether containers end also when the program is killed, for which a small process waits. Default: yes, where containers
   * end with the engine and all packages are named, for that process cannot have what the program imported.
   */
  readonly isWatched?: boolean;
}
