import type { Duplex } from 'node:stream';
import { conflict } from '@gantry/core/errors';
import { writeAll } from '@gantry/core/streams';
import { logSource } from '../areas/logged-containers.js';
import type { Container } from '../container.js';
import { type Parts, runtimeOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import type { Client, ContainerStreams } from './container-streams.js';
import { converse } from './converse.js';
import { Seam } from './seam.js';

export interface AttachRequest {
  /** Past output first. */
  readonly logs: boolean;
  /** Output and input from now on. */
  readonly stream: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly detachKeys: readonly number[];
  /** Without frames even without a terminal, for WebSockets. */
  readonly raw: boolean;
}

/** A client's connection, taken from HTTP. It is closed by whoever opened it. */
export interface AttachConnection {
  readonly socket: Duplex;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** How far back the beginning of new output may have been written, in nanoseconds: the engine may have been busy. */
const longestWay = 250_000_000n;
/** The engine's clock is behind the one that past output is stamped by, by less than this, in nanoseconds. */
const clockSlack = 2_000_000n;
/** Bytes of new output that may wait while past output is sent. */
const replayLimit = 16 * 2 ** 20;

/**
 * Spec: POST /containers/(id)/attach. `open` takes the connection from HTTP, when everything that can be refused was
 * checked. Resolves when the session is over: the run has ended, the client has gone, or it typed the detach keys.
 */
export async function attach(
  parts: Parts,
  reference: string,
  request: AttachRequest,
  open: () => Promise<AttachConnection>,
): Promise<void> {
  const container = parts.store.get(reference);
  refuse(container);
  const { record } = container;
  const streams = parts.attachments.of(record);
  const began = performance.now();
  const from = parts.clock.now() - (streams.isConnected ? longestWay : 0n);
  // Joined before the client hears that it is attached: what it starts next is seen from its beginning.
  const client = await join(parts, container, streams, request);
  try {
    const { logs, raw, stdout, stderr } = request;
    const gone = new AbortController();
    const until = parts.clock.now() + clockSlack;
    const seam = new Seam({ from, until });
    const options = { stdout, stderr, raw, until, signal: gone.signal };
    const past = logs
      ? parts.logs.read(logSource(parts, container), { ...options, see: (line) => seam.see(line) })
      : undefined;
    const { socket, signal } = await open();
    seam.took(performance.now() - began);
    signal.addEventListener('abort', () => gone.abort(signal.reason), { once: true });
    parts.events.publish(container.record, 'attach');
    if (past !== undefined) await writeAll(past, socket, signal);
    const end = request.stream ? await converse(streams, client, request, { socket, signal, seam }) : 'over';
    if (end === 'detached') parts.events.publish(container.record, 'detach');
  } finally {
    client.leave();
    parts.attachments.forgetIdle(container.id);
  }
}

function refuse({ record: { id, state } }: Container): void {
  if (state.status === 'paused') throw conflict(`Container ${id} is paused, unpause the container before attach`);
  if (state.status === 'restarting') {
    throw conflict(`Container ${id} is restarting, wait until the container is running`);
  }
  if (state.status === 'removing' || state.status === 'dead') throw conflict(`Container ${id} is marked for removal`);
}

/** From the moment this resolves the client gets everything; what came before is in the log. */
async function join(
  parts: Parts,
  container: Container,
  streams: ContainerStreams,
  { logs, stream, stdout, stderr }: AttachRequest,
): Promise<Client> {
  const isListening = stream && (stdout || stderr);
  const options = { isListening, ...(logs && { limit: replayLimit }) };
  if (!stream || !isAlive(container.record.state)) return streams.join(options);
  const hold = streams.join({ isListening: false });
  try {
    await parts.attachments.connectNow(container.record, runtimeOf(parts, container.record));
    return streams.join(options);
  } finally {
    hold.leave();
  }
}
