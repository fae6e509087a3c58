import type { Owner, WhiteoutForm } from './pool/requests.js';

/** What whatever can wait takes. */
export interface Waiting {
  readonly signal?: AbortSignal;
}

/** Where the facts are kept by which an archive can be written again as it was. */
export interface LayerJournal {
  /** Made; it must not exist. */
  readonly file: string;
  /** A directory for what no file of the tree holds any more; made if need be. */
  readonly payloads: string;
}

export interface ExtractLayerOptions extends Waiting {
  /**
   * What `.wh.` names become: `overlay` marks for overlayfs, `apply` deletes what the parent has, and `none` files of
   * that name.
   */
  readonly whiteouts: WhiteoutForm;
  /** Directories the extracted one will lie upon, topmost first: missing directories become like theirs. */
  readonly lower?: readonly string[];
  readonly journal?: LayerJournal;
  /** `sha256:<hex>` of the uncompressed archive. */
  readonly expectedDiffId?: string;
  /** Of the uncompressed archive. */
  readonly maxBytes?: number;
  /** Told now and then how many bytes of the source, compressed or not, were read so far. */
  readonly onRead?: (total: number) => void;
}

export interface ExtractOptions extends Waiting {
  /** Of everything that is made, whatever the archive says. */
  readonly owner?: Owner;
  /** Rejects `invalid-argument` instead of putting something else in the place of a directory, or the reverse. */
  readonly keepDirectories?: boolean;
  readonly maxBytes?: number;
}
