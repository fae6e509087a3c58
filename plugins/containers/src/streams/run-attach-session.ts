import type { Duplex } from 'node:stream';
import { untilAborted } from '@gantry/core/driver';
import { DetachScanner, drainQueue, frames } from '@gantry/core/streams';
import type { AttachRequest } from './attach-request.js';
import type { Client, ContainerStreams, LiveChunk } from './container-streams.js';
import type { LogCutover } from './log-cutover.js';

interface AttachSession {
  readonly streams: ContainerStreams;
  readonly client: Client;
  readonly request: AttachRequest;
  readonly socket: Duplex;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly cutover: LogCutover;
  /** The keys that the client may type to leave: those of the start, when the session began before it. */
  readonly detachKeys: () => readonly number[];
}

/** How a session ended: by the detach keys, or because one side has closed its stream. */
type SessionEnd = 'detached' | 'closed';

/** Copies bytes between one client and the streams of a run until one side has closed. */
export async function runAttachSession(session: AttachSession): Promise<SessionEnd> {
  const { streams, client, request, socket, signal, cutover, detachKeys } = session;
  const { stdin, stdout, stderr } = request;
  const progress = { isOver: false };
  const ends: Promise<SessionEnd>[] = [];
  if (stdout || stderr) {
    const output = drainQueue(client.output, socket, encoder(streams.options.tty, request, cutover), { signal });
    ends.push(output.then(closed, (error) => closedByClient(signal, error)));
  }
  if (stdin && streams.options.openStdin) {
    const input = copyInput(streams, socket, detachKeys, progress);
    if (ends.length === 0) ends.push(input.then(sessionEnd), untilAborted(streams.ended).then(closed));
    else ends.push(input.then((end) => (endsSession(end, streams.options.tty) ? sessionEnd(end) : pending)));
  } else {
    socket.resume();
  }
  try {
    return await Promise.race(ends.length === 0 ? [closed()] : ends);
  } finally {
    progress.isOver = true;
  }
}

const closed = (): SessionEnd => 'closed';

/** `ended`: the client has closed its side; `failed`: it has disconnected, or the process has closed its input. */
type InputEnd = 'detached' | 'ended' | 'failed';

const sessionEnd = (end: InputEnd): SessionEnd => (end === 'detached' ? end : 'closed');

const pending = new Promise<never>(() => undefined);

/** Without a terminal the session continues after the end of the input as long as there is output. */
const endsSession = (end: InputEnd, tty: boolean): boolean => end === 'detached' || (tty && end === 'ended');

function closedByClient(signal: AbortSignal, error: unknown): SessionEnd {
  if (signal.aborted) return 'closed';
  throw error;
}

function encoder(
  tty: boolean,
  { raw, stdout, stderr }: AttachRequest,
  cutover: LogCutover,
): (chunks: LiveChunk[]) => Uint8Array {
  const isWanted = ({ stream }: LiveChunk) => (stream === 'stderr' ? stderr : stdout);
  const fresh = (chunks: LiveChunk[]) => cutover.withoutReplayed(chunks.filter(isWanted));
  if (!tty && !raw) return (chunks) => frames(fresh(chunks));
  return (chunks) => Buffer.concat(fresh(chunks).map(({ data }) => data));
}

/** From the client to the process, until the client's end, the detach keys, or the end of the process. */
async function copyInput(
  streams: ContainerStreams,
  socket: Duplex,
  detachKeys: () => readonly number[],
  progress: { readonly isOver: boolean },
): Promise<InputEnd> {
  // Without a terminal the input is binary data, which may contain the detach sequence.
  let scanner: DetachScanner | undefined;
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      // Input after the end of the session is discarded, so that the client can close its side.
      if (progress.isOver) continue;
      if (streams.options.tty) scanner ??= new DetachScanner(detachKeys());
      const { forward, detached } = scanner?.push(chunk) ?? { forward: chunk, detached: false };
      if (forward.length > 0) await streams.write(forward);
      if (detached) return 'detached';
    }
    const held = scanner?.flush();
    if (held !== undefined && held.length > 0) await streams.write(held);
  } catch {
    // Output continues.
    socket.resume();
    await streams.endInput().catch(() => undefined);
    return 'failed';
  }
  await streams.endInput().catch(() => undefined);
  return 'ended';
}
