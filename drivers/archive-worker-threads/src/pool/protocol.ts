import type { MessagePort } from 'node:worker_threads';
import type { IdMappings } from '@gantry/core/contracts';
import type { ErrorKind } from '@gantry/core/errors';
import type { JobKind } from './jobs.js';

/** A job, sent to a thread. */
export interface JobStart {
  readonly kind: JobKind;
  readonly request: unknown;
  /** Carries all further messages of this job. */
  readonly channel: MessagePort;
  /** One 32-bit word, not 0 once the job is aborted: a busy thread reads it between two files. */
  readonly aborted: SharedArrayBuffer;
}

/** What a thread is started with. */
export interface ThreadData {
  readonly idMappings: IdMappings;
}

/** From a thread: it is ready for the next job. */
export type ThreadMessage = { readonly type: 'free' };

/** On the channel of a job, to the thread. */
export type ToThread =
  | { readonly type: 'input'; readonly pieces: readonly Uint8Array[] }
  | { readonly type: 'end' }
  /** The job may send so many more pieces. */
  | { readonly type: 'grant'; readonly pieces: number }
  /** The job is aborted, or its input has failed: wakes a thread that waits. */
  | { readonly type: 'abort' };

/** On the channel of a job, from the thread. */
export type FromThread =
  /** So many bytes that came over the channel were read since the last such message. */
  | { readonly type: 'taken'; readonly bytes: number }
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

/** Bytes of one piece of output. */
export const pieceSize = 256 * 1024;

/** Pieces of output that may be in flight. */
export const piecesInFlight = 4;

/** Bytes of input that are sent in one message. */
export const inputBatch = 512 * 1024;

/** Bytes of input that may be in flight: with few of them the threads wait for each other on a busy host. */
export const inputInFlight = 4 * 2 ** 20;
