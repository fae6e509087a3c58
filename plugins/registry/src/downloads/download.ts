import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { crashPoint } from '@gantry/core/crash-points';
import { EngineError, internal, messageOf, unavailable } from '@gantry/core/errors';
import type { OpenedBlob } from '../remote/blobs.js';
import type { Descriptor } from '../remote/manifest.js';
import { ConnectionError } from '../transport/registry-error.js';
import { backoff, isPassing, type RetryPolicy } from '../transport/retry.js';
import { Received } from './received.js';

export interface DownloadRequest {
  readonly blob: Pick<Descriptor, 'digest' | 'size'>;
  /** Opens the blob from an offset on; tried again after a failure that passes. */
  readonly open: (offset: number, signal: AbortSignal) => Promise<OpenedBlob>;
}

/** Receives the progress of a download. */
export interface DownloadListener {
  waiting?(): void;
  bytes?(current: number): void;
  retrying?(seconds: number): void;
  verifying?(): void;
}

/**
 * Brings a blob into `file`, going on where `file.part` ends. The content is checked against size and digest before
 * the file gets its name; what a failure leaves stays for the next try. Rejects `unavailable` when the disk is full.
 */
export async function download(
  request: DownloadRequest,
  file: string,
  policy: RetryPolicy,
  listener: DownloadListener,
  signal: AbortSignal,
): Promise<void> {
  const { digest, size } = request.blob;
  const part = `${file}.part`;
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const received = new Received(handle, size);
    await received.resume(signal);
    let isResumed = received.length > 0;
    for (;;) {
      await receiveAll(request, received, policy, listener, signal);
      listener.verifying?.();
      if (received.digest() === digest) break;
      await received.restart();
      // What an earlier try left may have been damaged: once more, from the beginning.
      if (!isResumed) throw internal(`filesystem layer verification failed for digest ${digest}`);
      isResumed = false;
    }
  } catch (error) {
    throw isDiskFull(error) ? unavailable(`no room for blob ${digest}: ${messageOf(error)}`, { cause: error }) : error;
  } finally {
    await handle.close();
  }
  crashPoint('registry.download.whole');
  await rename(part, file);
}

async function receiveAll(
  request: DownloadRequest,
  received: Received,
  policy: RetryPolicy,
  listener: DownloadListener,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; received.length < request.blob.size; ) {
    const before = received.length;
    try {
      await receive(request, received, listener, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures = received.length > before ? 1 : failures + 1;
      // A registry that is being restarted refuses connections for a while.
      const mayHelp = isPassing(error) || (received.length > 0 && error instanceof ConnectionError);
      if (!mayHelp || failures >= policy.attempts) throw error;
      const wait = backoff(policy, failures, error);
      listener.retrying?.(Math.ceil(wait / 1000));
      await delay(wait, undefined, { signal });
    }
  }
}

/** One try. What it received counts, however it ends. */
async function receive(
  { blob, open: openAt }: DownloadRequest,
  received: Received,
  listener: DownloadListener,
  signal: AbortSignal,
): Promise<void> {
  const { body, offset } = await openAt(received.length, signal);
  try {
    if (offset === 0 && received.length > 0) await received.restart();
    if (offset !== received.length) {
      throw internal(`blob ${blob.digest}: the registry answers another range than it was asked for`);
    }
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (received.length + chunk.length > blob.size) {
        throw internal(`blob ${blob.digest} has more than the ${blob.size} bytes its manifest says`);
      }
      await received.take(chunk);
      listener.bytes?.(received.length);
    }
  } catch (error) {
    if (signal.aborted || EngineError.is(error) || isOfFile(error)) throw error;
    throw new ConnectionError(`blob ${blob.digest}: ${wordsOf(body, error)}`, false, { cause: error });
  } finally {
    body.destroy();
    await received.flush();
  }
  if (received.length < blob.size) {
    throw new ConnectionError(`blob ${blob.digest}: the connection ended early`, false);
  }
}

const wordsOf = (body: IncomingMessage, error: unknown): string => messageOf(body.errored ?? error);

/** What writing met, not the connection. */
const isOfFile = (error: unknown): boolean =>
  ['write', 'writev', 'ftruncate'].includes(String((error as NodeJS.ErrnoException)?.syscall)) || isDiskFull(error);

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException)?.code));
