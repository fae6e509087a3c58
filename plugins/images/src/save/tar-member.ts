import type { Readable } from 'node:stream';

/** One member of an archive to write. */
export type TarMember = {
  readonly name: string;
  /** Seconds since the epoch. */
  readonly modified: number;
} & (
  | { readonly type: 'directory' }
  | { readonly type: 'file'; readonly content: string | StreamedContent }
  | { readonly type: 'link' | 'symlink'; readonly target: string }
);

/** Content that is opened when the member is written. */
export interface StreamedContent {
  /** Exact number of bytes. */
  readonly size: number;
  readonly open: () => Promise<Readable>;
}
