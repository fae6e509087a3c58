import type { Duplex } from 'node:stream';
import { DetachScanner, drainQueue, frames } from '@gantry/core/streams';
import type { AttachConnection, AttachRequest } from './attach.js';
import type { Client, ContainerStreams, LiveChunk } from './container-streams.js';
import type { Seam } from './seam.js';

/** How a session ended: by the keys, or because one side had no more. */
export type SessionEnd = 'detached' | 'over';

/** Carries bytes between one client and the streams of a run until one side has no more. */
export async function converse(
  streams: ContainerStreams,
  client: Client,
  request: AttachRequest,
  { socket, signal, seam }: AttachConnection & { readonly seam: Seam },
): Promise<SessionEnd> {
  const { stdin, stdout, stderr } = request;
  const session = { isOver: false };
  const ends: Promise<SessionEnd>[] = [];
  if (stdout || stderr) {
    const output = drainQueue(client.output, socket, encoder(streams.options.tty, request, seam), { signal });
    ends.push(output.then(over, (error) => leave(signal, error)));
  }
  if (stdin && streams.options.openStdin) {
    const input = copyInput(streams, socket, request, session);
    // The end of the input is not the end of the session as long as there is output to come.
    ends.push(
      ends.length === 0 ? input : input.then((end) => (end === 'detached' ? end : new Promise(() => undefined))),
    );
  } else {
    socket.resume();
  }
  try {
    return await Promise.race(ends.length === 0 ? [over()] : ends);
  } finally {
    session.isOver = true;
  }
}

const over = (): SessionEnd => 'over';

function leave(signal: AbortSignal, error: unknown): SessionEnd {
  if (signal.aborted) return 'over';
  throw error;
}

function encoder(
  tty: boolean,
  { raw, stdout, stderr }: AttachRequest,
  seam: Seam,
): (chunks: LiveChunk[]) => Uint8Array {
  const isWanted = ({ stream }: LiveChunk) => (stream === 'stderr' ? stderr : stdout);
  const wanted = (chunks: LiveChunk[]) => seam.rest(chunks.filter(isWanted));
  if (!tty && !raw) return (chunks) => frames(wanted(chunks));
  return (chunks) => Buffer.concat(wanted(chunks).map(({ data }) => data));
}

/** From the client to the process, until the client's end, the detach keys, or the process's end. */
async function copyInput(
  streams: ContainerStreams,
  socket: Duplex,
  { detachKeys }: AttachRequest,
  session: { readonly isOver: boolean },
): Promise<SessionEnd> {
  // Without a terminal the input is data, in which any two bytes may stand.
  const scanner = streams.options.tty ? new DetachScanner(detachKeys) : undefined;
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      // What comes when nobody wants it any more is read all the same, so that the client can close.
      if (session.isOver) continue;
      const { forward, detached } = scanner?.push(chunk) ?? { forward: chunk, detached: false };
      if (forward.length > 0) await streams.write(forward);
      if (detached) return 'detached';
    }
    const held = scanner?.flush();
    if (held !== undefined && held.length > 0) await streams.write(held);
  } catch {
    // The client has gone, or the process has closed its input: the session goes on for its output.
    socket.resume();
  }
  await streams.endInput().catch(() => undefined);
  return 'over';
}
