import type { Area, StoredEntry } from './load-environment.js';

/** One key's new value; undefined removes it. */
export interface Write {
  readonly area: Area;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** What the writing thread is told first. */
export interface WriterData {
  readonly file: string;
  /** Makes the file anew from these, keeping the old one under `keepAs`. */
  readonly rebuild?: { readonly entries: readonly StoredEntry[]; readonly keepAs: string };
}

/** `undefined` asks it to close. */
export type WriterRequest = readonly Write[] | undefined;

/** `undefined` says done: open, committed or closed. Otherwise the reason why not. */
export type WriterAnswer = string | undefined;
