import type { Readable } from 'node:stream';

/** One member of an archive to be written. */
export type TarMember = {
  readonly name: string;
  /** Seconds since the epoch. */
  readonly modified: number;
} & (
  | { readonly type: 'directory' }
  | { readonly type: 'file'; readonly content: string | StreamedContent }
  | { readonly type: 'link' | 'symlink'; readonly target: string }
);

/** Content that is read when its turn comes. */
export interface StreamedContent {
  /** Bytes; exactly as many must come. */
  readonly size: number;
  readonly open: () => Promise<Readable>;
}
