import { parentPort, workerData } from 'node:worker_threads';
import { internal } from '@gantry/core/errors';
import { Files } from '@gantry/lib-linux/files';
import { toFailure } from '../pool/failure.js';
import type { JobKind, Jobs } from '../pool/jobs.js';
import type { FromThread, JobStart, ThreadData, ThreadMessage } from '../pool/protocol.js';
import { FileOwners } from './file-owners.js';
import { JobContext } from './job-context.js';
import { jobs } from './jobs.js';
import { KernelCalls } from './kernel-calls.js';

/** No kernel injects here: the thread makes the port's own implementation, and passes it to everything that uses it. */
const files = Files.fallback?.(({ name }) => {
  throw internal(`an archive thread has no ${name}`);
});
if (files === undefined) throw internal(`an archive thread has no ${Files.name}`);
const calls = new KernelCalls(files, new FileOwners((workerData as ThreadData).idMappings));

/** The entry of a worker thread: does one job after another. */
parentPort?.on('message', (start: JobStart) => void work(start));

async function work({ kind, request, channel, aborted }: JobStart): Promise<void> {
  const context = new JobContext(channel, aborted, calls);
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
