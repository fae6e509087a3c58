import type { Launcher } from '@gantry/lib-linux/launcher';

/** A network address a tool is about to be connected to. */
export interface Destination {
  /** As the URL has it: a name or an address. */
  readonly host: string;
  /** What the name means right now: the connection goes to this one and no other. */
  readonly address: string;
  readonly port: number;
}

/** What a conversion may use of the host. The same for a source from its detection to its last rewrite. */
export interface ConversionContext {
  /** A directory for this source alone, made (0700) when it is missing. What is in it lets a conversion go on. */
  readonly scratch: string;
  /**
   * Asked for every connection, those after redirects too, with the address it will really go to. Public addresses
   * alone by default: see `isPublicAddress`.
   */
  readonly allowDestination?: (destination: Destination) => boolean;
  /** Certificates of authorities in PEM, one each, that are trusted besides those of the host. */
  readonly authorities?: readonly string[];
  /** Whether `file:` URLs are sources; no by default. */
  readonly allowLocalFiles?: boolean;
  /** A source that sends nothing for so long is given up, in seconds; 300 by default. */
  readonly stallSeconds?: number;
  /** How much scratch and repository may hold together; no bound by default. */
  readonly maxBytes?: number;
  readonly launcher?: Launcher;
  /** Its abort kills every program of the call; the call rejects with the reason well within 2 s. */
  readonly signal?: AbortSignal;
}

export interface ConversionProgress {
  /** Commits (revisions, changesets) to import; undefined as long as the source has not told. */
  readonly commitCount: number | undefined;
  /** 0 to 100, never falling within one call. */
  readonly percent: number;
}

export interface ConvertOptions extends ConversionContext {
  /** The bare repository to make; see the README for the refs in it. */
  readonly repository: string;
  /** At least once at the beginning and at the end, and at most some times a second. */
  readonly onProgress?: (progress: ConversionProgress) => void;
}

/** What works on a repository that has been converted. */
export interface RepositoryOptions {
  /** For what is written on the way; a directory for this source alone. */
  readonly scratch: string;
  readonly launcher?: Launcher;
  readonly signal?: AbortSignal;
}
