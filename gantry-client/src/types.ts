export type * from './api-types.js';

/** What `files.stat` says of a file. */
export interface FileStat {
  readonly name: string;
  readonly size: number;
  /** As Go has it: type and permissions. */
  readonly mode: number;
  readonly mtime: string;
  readonly linkTarget: string;
}
