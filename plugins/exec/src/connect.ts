import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { ExecProcess, TaskStreams } from '@gantry/core/contracts';
import { untilAborted } from '@gantry/core/driver';
import { DetachScanner, parseDetachKeys, writeFrame } from '@gantry/core/streams';
import type { Exec } from './exec-record.js';

/**
 * Connects a client to a process until the output ends, or the client detaches by its detach keys or disconnects. The
 * process then continues, and its output is discarded. `raw`: without frames.
 * @returns whether the client detached.
 */
export async function connect(
  exec: Exec,
  process: ExecProcess,
  socket: Duplex,
  { raw, signal }: { readonly raw: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  const { streams } = process;
  if (streams === undefined) return false;
  const left = new AbortController();
  const leave = (): void => left.abort();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const detached = copyInput(exec, streams, socket, leave);
  const written = copyOutput(exec, streams, socket, { raw, left: left.signal });
  // The exit code is known before the client sees the end: it asks for it next.
  await Promise.race([written.then(() => process.exited), untilAborted(left.signal)]);
  signal.removeEventListener('abort', leave);
  return left.signal.aborted && !signal.aborted ? detached : false;
}

/** Copies input to the process and closes its stdin at the end. Resolves to whether the detach keys were typed. */
async function copyInput(exec: Exec, streams: TaskStreams, socket: Duplex, leave: () => void): Promise<boolean> {
  const { config } = exec;
  if (!config.attachStdin) {
    socket.resume();
    return false;
  }
  const scanner =
    config.tty || config.detachKeys !== '' ? new DetachScanner(parseDetachKeys(config.detachKeys)) : undefined;
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const scanned = scanner?.push(chunk) ?? { forward: chunk, detached: false };
      if (scanned.forward.length > 0) await streams.writeStdin(scanned.forward);
      if (scanned.detached) {
        leave();
        return true;
      }
    }
    const held = scanner?.flush();
    if (held !== undefined && held.length > 0) await streams.writeStdin(held);
  } catch {
    // The process has closed its stdin, or the client has disconnected.
  }
  await streams.endStdin().catch(() => undefined);
  return false;
}

/** Copies output to the client, with backpressure; discards it once the client has left. */
async function copyOutput(
  exec: Exec,
  streams: TaskStreams,
  socket: Duplex,
  { raw, left }: { readonly raw: boolean; readonly left: AbortSignal },
): Promise<void> {
  const { attachStderr, attachStdout } = exec.config;
  for await (const { stream, bytes } of streams.output) {
    if (left.aborted || !(stream === 'stdout' ? attachStdout : attachStderr)) continue;
    const taken = raw ? socket.write(bytes) : writeFrame(socket, stream, bytes);
    if (!taken) await once(socket, 'drain', { signal: left }).catch(() => undefined);
  }
  streams.close();
}
