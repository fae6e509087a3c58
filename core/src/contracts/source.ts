import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # Source: repositories to import from
 *
 * A source driver reads repositories of one version control system and turns them into bare Git repositories. The id
 * of the driver is the name that the import API has for the system (`vcs`): `git`, `subversion`, `mercurial`, `tfvc`.
 *
 * A converted repository has the source's branches and tags as `refs/heads/` and `refs/tags/`, and the same again
 * below `refs/source/`, which no later step changes: authors are mapped and large files are moved by rewriting the
 * history from there.
 *
 * Every method rejects {@link SourceError}, or the reason of the signal well within two seconds of its abort; no
 * program of the call runs after that. Neither messages nor logs, arguments or environments of programs hold a
 * credential, and nothing that a source brings along is executed.
 */
export interface SourceDriver {
  readonly capabilities: SourceCapabilities;

  /**
   * Says whether a repository of this kind is at the URL, and which projects are in it. A server that answers
   * otherwise is `found-nothing`. Rejects SourceError `unreachable`, `refused-address`, `unsupported-url` and
   * `missing-program`.
   */
  detect(source: SourceRepository, context: SourceContext): Promise<SourceDetection>;

  /**
   * Imports the whole history into a bare repository. Called again with the same scratch directory and repository
   * after a failure, an abort or a crash, it resumes where it can and starts afresh where it cannot; after a success
   * it fetches what is new. One conversion at a time for each scratch directory.
   */
  convert(source: SourceRepository, options: SourceConversionOptions): Promise<void>;
}

export interface SourceCapabilities {
  /** Schemes of the URLs it reads, as `URL.protocol` has them: `https:`. */
  readonly schemes: readonly string[];
  /**
   * How one of several projects at a URL is identified: by its name, as in a Team Foundation collection, or by a folder
   * below the URL, as in a Subversion repository.
   */
  readonly projects: 'none' | 'names' | 'folders';
}

/** Where a repository is imported from. */
export interface SourceRepository {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** The `project` of a {@link SourceProject}, for a URL with several of them. */
  readonly project?: string;
}

/** One of several projects at a URL. */
export interface SourceProject {
  readonly project: string;
  /** The label a person chooses by. */
  readonly humanName: string;
}

export type SourceDetection =
  /** `project` when the URL holds a single one that has a name. */
  | { readonly status: 'found'; readonly project?: string }
  | { readonly status: 'found-multiple'; readonly choices: readonly SourceProject[] }
  /** `reason` is for a person. */
  | { readonly status: 'found-nothing'; readonly reason: string }
  /** `refused` when credentials were given and the server did not accept them. */
  | { readonly status: 'needs-auth'; readonly refused: boolean };

/** A network address that a connection is about to be made to. */
export interface SourceDestination {
  /** As the URL has it: a name or an address. */
  readonly host: string;
  /** The address of the connection; `host` is not resolved again after the check. */
  readonly address: string;
  readonly port: number;
}

/** The limits of one import: the same for its detection and its conversion. */
export interface SourceContext {
  /** A directory for this import alone, created with mode 0700 when missing. Holds what a conversion resumes from. */
  readonly scratch: string;
  /** Decides on every connection, also after redirects. Without it public addresses are allowed and no others. */
  readonly allowDestination?: (destination: SourceDestination) => boolean;
  /** Certificates of authorities in PEM, one each, trusted in addition to those of the host. */
  readonly authorities?: readonly string[];
  /** Whether `file:` URLs are sources; no by default. */
  readonly allowLocalFiles?: boolean;
  /** Seconds after which a source that sends nothing is given up; 300 by default. */
  readonly stallSeconds?: number;
  /** The most that scratch directory and repository may take together; unlimited by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface SourceConversionOptions extends SourceContext {
  /** The bare repository, created when missing. */
  readonly repository: string;
  /** Called at least at the beginning and at the end, and at most a few times a second. */
  readonly onProgress?: (progress: SourceProgress) => void;
}

export interface SourceProgress {
  /** Commits (revisions, changesets) to import; undefined until the source has reported them. */
  readonly commitCount: number | undefined;
  /** 0 to 100, never decreasing within one call. */
  readonly percent: number;
}

export const SourceDrivers: DriverPoint<SourceDriver> = driverPoint<SourceDriver>(
  'source',
  '1.0',
  ['detect', 'convert'],
  { capabilities: ['schemes', 'projects'], takeover: 'overlapping' },
);
