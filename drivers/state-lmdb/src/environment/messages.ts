import type { Area, StoredEntry } from './load-environment.js';

/** One key's new value; undefined removes it. */
export interface Write {
  readonly area: Area;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** The first message to the writing thread. */
export interface WriterData {
  readonly file: string;
  /** Rebuilds the file from these, keeping the old one under `keepAs`. */
  readonly rebuild?: { readonly entries: readonly StoredEntry[]; readonly keepAs: string };
}

/** Asks for a copy of the file, as it is after the last commit. */
interface CopyRequest {
  readonly copyTo: string;
}

/** `undefined` asks it to close. */
export type WriterRequest = readonly Write[] | CopyRequest | undefined;

/** `undefined` is success: open, committed or closed. Otherwise the reason of the failure. */
export type WriterAnswer = string | undefined;
