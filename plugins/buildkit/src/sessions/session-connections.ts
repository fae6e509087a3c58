import type { IncomingHttpHeaders } from 'node:http';
import { Duplex, PassThrough, Readable } from 'node:stream';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { GrpcClient } from '../grpc/grpc-client.js';
import type { Protocol } from '../protocol/protocol.js';
import { ClientSession } from './client-session.js';
import { ClientSessions } from './client-sessions.js';

/** What is loaded with the first connection of a client. */
export interface Libraries {
  readonly protocol: Protocol;
  readonly http2: typeof import('node:http2');
}

interface SessionFacts {
  readonly id: string;
  /** Paths of the methods that the client has, in lower case. */
  readonly methods: ReadonlySet<string>;
  /** Names what the client builds; empty when it does not. */
  readonly sharedKey: string;
}

const prefix = 'x-docker-expose-session-';

/** Connections on which clients offer services to their builds. */
@injectable()
export class SessionConnections {
  constructor(@inject(ClientSessions) private readonly sessions: ClientSessions) {}

  /** What the headers say of a session. @throws EngineError for a missing id, or one that is in use. */
  check(headers: IncomingHttpHeaders): SessionFacts {
    const id = String(headers[`${prefix}uuid`] ?? '');
    if (id === '') throw invalidArgument('the header X-Docker-Expose-Session-Uuid is missing');
    if (this.sessions.has(id)) throw conflict(`session ${id} already exists`);
    const methods = String(headers[`${prefix}grpc-method`] ?? '').split(/,\s*/);
    const sharedKey = String(headers[`${prefix}sharedkey`] ?? '');
    return { id, methods: new Set(methods.map((method) => method.toLowerCase())), sharedKey };
  }

  /** Keeps the session for builds until its connection is closed. */
  async open(socket: Duplex, { id, methods, sharedKey }: SessionFacts, { http2, protocol }: Libraries): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      socket.once('close', resolve);
    });
    const client = new GrpcClient(http2.connect, socket);
    const remove = this.sessions.add(id, new ClientSession(client, protocol, methods, sharedKey));
    await closed;
    remove();
    client.close();
  }

  /** A session inside a call: its bytes are in the messages, both ways. */
  async *tunnel(
    messages: AsyncIterable<object>,
    headers: IncomingHttpHeaders,
    libraries: Libraries,
  ): AsyncGenerator<{ readonly data: Buffer }, void, undefined> {
    const facts = this.check(headers);
    const outgoing = new PassThrough();
    const incoming = Readable.from(bytesOf(messages), { objectMode: false });
    const socket = Duplex.from({ readable: incoming, writable: outgoing });
    const opened = this.open(socket, facts, libraries);
    try {
      for await (const data of outgoing) yield { data };
    } finally {
      socket.destroy();
      await opened;
    }
  }
}

async function* bytesOf(messages: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    const { data } = message as { readonly data: Uint8Array };
    if (data.length > 0) yield data;
  }
}
