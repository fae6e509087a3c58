import type { Duplex } from 'node:stream';
import { ContainerLogs } from '@gantry/container-logs/service';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { parseDetachKeys, writeAll } from '@gantry/core/streams';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import type { AttachRequest } from './attach-request.js';
import { Attachments } from './attachments.js';
import type { Client, ContainerStreams } from './container-streams.js';
import { LogCutover } from './log-cutover.js';
import { runAttachSession } from './run-attach-session.js';

/** A client's connection, taken over from HTTP. Its opener closes it. */
interface AttachConnection {
  readonly socket: Duplex;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** @param isTerminal whether the output is raw, not framed. */
type OpenAttach = (isTerminal: boolean) => Promise<AttachConnection>;

/** How long the first live output may have been under way, in nanoseconds: the engine may have been busy. */
const maxDelay = 250_000_000n;
/** The engine's clock is behind the one that log records are stamped by, by less than this, in nanoseconds. */
const clockSkew = 2_000_000n;
/** Bytes of live output that are queued while the log is replayed. */
const replayLimit = 16 * 2 ** 20;

/** Spec: POST /containers/(id)/attach. */
@injectable()
export class AttachToContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'read'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /**
   * `open` takes the connection over from HTTP, once everything that can be refused is checked. Resolves when the session
   * is over: the run has ended, the client has disconnected, or it typed the detach keys.
   */
  async attach(reference: string, request: AttachRequest, open: OpenAttach): Promise<void> {
    const container = this.store.get(reference);
    checkAttachable(container);
    const streams = this.attachments.of(container.record);
    const began = performance.now();
    const from = this.clock.now() - (streams.isConnected ? maxDelay : 0n);
    // Joined before the client is answered: what it starts next is seen from its first byte.
    const client = await this.#join(container, streams, request);
    try {
      const { logs, raw, stdout, stderr } = request;
      const disconnected = new AbortController();
      const until = this.clock.now() + clockSkew;
      const cutover = new LogCutover({ from, until });
      const options = { stdout, stderr, raw, until, signal: disconnected.signal };
      const replay = logs
        ? this.logs.read(this.logged.sourceOf(container), { ...options, see: (line) => cutover.replayed(line) })
        : undefined;
      const { socket, signal } = await open(container.record.config.Tty ?? false);
      cutover.attachTook(performance.now() - began);
      signal.addEventListener('abort', () => disconnected.abort(signal.reason), { once: true });
      this.events.publish(container.record, 'attach');
      if (replay !== undefined) await writeAll(replay, socket, signal);
      if (!request.stream) return;
      const detachKeys = () => request.detachKeys ?? parseDetachKeys(container.record.detachKeys);
      const end = await runAttachSession({ streams, client, request, socket, signal, cutover, detachKeys });
      if (end === 'detached') this.events.publish(container.record, 'detach');
    } finally {
      client.leave();
      this.attachments.dropIdle(container.id);
    }
  }

  /** From the moment this resolves the client gets all output; what came before is in the log. */
  async #join(
    container: Container,
    streams: ContainerStreams,
    { logs, stream, stdout, stderr }: AttachRequest,
  ): Promise<Client> {
    const isListening = stream && (stdout || stderr);
    const options = { isListening, ...(logs && { limit: replayLimit }) };
    if (!stream || !isAlive(container.record.state)) return streams.join(options);
    // Keeps the streams while they are being connected.
    const placeholder = streams.join({ isListening: false });
    try {
      await this.attachments.connectNow(container.record);
      return streams.join(options);
    } finally {
      placeholder.leave();
    }
  }
}

function checkAttachable({ record: { id, state } }: Container): void {
  if (state.status === 'paused') throw conflict(`Container ${id} is paused, unpause the container before attach`);
  if (state.status === 'restarting') {
    throw conflict(`Container ${id} is restarting, wait until the container is running`);
  }
  if (state.status === 'removing' || state.status === 'dead') throw conflict(`Container ${id} is marked for removal`);
}
