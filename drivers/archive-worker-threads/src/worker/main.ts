import { parentPort } from 'node:worker_threads';
import { toFailure } from '../pool/failure.js';
import type { JobKind, Jobs } from '../pool/jobs.js';
import type { FromThread, JobStart, ThreadMessage } from '../pool/protocol.js';
import { JobContext } from './job-context.js';
import { jobs } from './jobs.js';

/** The entry of a worker thread: does one job after another. */
parentPort?.on('message', (start: JobStart) => void work(start));

async function work({ kind, request, channel, aborted }: JobStart): Promise<void> {
  const context = new JobContext(channel, aborted);
  const answer = (message: FromThread): void => channel.postMessage(message);
  try {
    answer({ type: 'result', result: await perform(kind, request, context) });
  } catch (error) {
    answer({ type: 'failure', failure: toFailure(error) });
  } finally {
    context.close();
    const free: ThreadMessage = { type: 'free' };
    parentPort?.postMessage(free);
  }
}

function perform<K extends JobKind>(kind: K, request: unknown, context: JobContext): Promise<Jobs[K]['result']> {
  return jobs[kind](request as Jobs[K]['request'], context);
}
