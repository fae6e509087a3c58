import type { MessagePort } from 'node:worker_threads';
import type { ErrorKind } from '@gantry/core/errors';
import type { JobKind } from './jobs.js';

/** To a thread: what to do. */
export interface JobStart {
  readonly kind: JobKind;
  readonly request: unknown;
  /** Everything else about this job goes over it. */
  readonly channel: MessagePort;
  /** One 32-bit word that is not 0 once the job is to be given up: a thread that is busy sees it between two files. */
  readonly aborted: SharedArrayBuffer;
}

/** From a thread: it is ready for the next job. */
export type ThreadMessage = { readonly type: 'free' };

/** On the channel of a job, to the thread. */
export type ToThread =
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  /** The job may send so many more pieces. */
  | { readonly type: 'grant'; readonly pieces: number }
  /** The job is aborted, or its input has failed. For a thread that waits and does not look at the flag. */
  | { readonly type: 'abort' };

/** On the channel of a job, from the thread. */
export type FromThread =
  /** A piece of input was used up; the next may come, in its memory if that comes back. */
  | { readonly type: 'taken'; readonly memory?: ArrayBuffer }
  /** So many bytes of input, compressed or not, were read so far. */
  | { readonly type: 'read'; readonly total: number }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'failure'; readonly failure: Failure };

/** An error on its way between threads. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** Of the system call that failed. */
  readonly code: string | undefined;
  readonly stack: string | undefined;
}

/** Bytes of one piece of input or output. */
export const pieceSize = 256 * 1024;

/** Pieces that may be on their way, in either direction. */
export const piecesInFlight = 4;

/** Pieces of input that may be on their way: with few of them the threads wait for each other on a busy host. */
export const inputPiecesInFlight = 16;
