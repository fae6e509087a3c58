/** The kinds of version control a source may be kept in, as the import API names them. */
export const versionControlSystems = ['subversion', 'git', 'mercurial', 'tfvc'] as const;

export type Vcs = (typeof versionControlSystems)[number];

/** Where a repository is imported from. */
export interface Source {
  /** `http`, `https`, `svn`, `git`; `file` only where the context allows local files. */
  readonly url: string;
  /** Not known: `detectSource` tells it, and `convertSource` detects first. */
  readonly vcs?: Vcs;
  readonly username?: string;
  readonly password?: string;
  /**
   * Which of several: the `project` of a `ProjectChoice`. Of a Team Foundation collection the project's name, of a
   * Subversion repository the folder below the URL that holds `trunk`, or `/` for everything there is.
   */
  readonly project?: string;
}

/** One of several projects found at a URL. */
export interface ProjectChoice {
  readonly vcs: Vcs;
  /** For `Source.project`; the API's key for it is `tfvc_project` or `svn_root`, by `vcs`. */
  readonly project: string;
  /** What a person chooses by. */
  readonly humanName: string;
}

/** What is at a URL. */
export type Detection =
  | { readonly status: 'found'; readonly vcs: Vcs; readonly project?: string }
  | { readonly status: 'found-multiple'; readonly choices: readonly ProjectChoice[] }
  /** `reason` is what each kind of server was asked and said, for a person. */
  | { readonly status: 'found-nothing'; readonly reason: string }
  /** `refused` when credentials were given and were not accepted. */
  | { readonly status: 'needs-auth'; readonly refused: boolean };
