import { randomUUID } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { Duplex, Readable, Writable } from 'node:stream';
import type { TestOwner } from '@gantry/test-engine';
import { GrpcClient } from '../grpc/grpc-client.js';
import { GrpcError } from '../grpc/grpc-error.js';
import type { StatusResponse, VertexWarning } from '../protocol/messages.js';
import { Protocol } from '../protocol/protocol.js';
import { ClientServices } from './client-services.js';
import { FileServer, type Files, type Transfer } from './file-server.js';

interface SolveSettings {
  /** The client's directories by name; `context` is the build file's, too, unless there is a `dockerfile`. */
  readonly directories: Readonly<Record<string, Files>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** More fields of the request. */
  readonly request?: object;
  readonly signal?: AbortSignal;
  /** Names what is built, the same in each session. */
  readonly sharedKey?: string;
  /** Drive the build through the gateway, as buildx does. */
  readonly throughGateway?: boolean;
  /** Open the session inside a call, as bake does. */
  readonly tunnelsSession?: boolean;
  /** What the client has beside its directories. */
  readonly services?: ClientServices;
  /** Exports are directories. */
  readonly receivesDirectories?: boolean;
}

interface Solved {
  readonly response: Readonly<Record<string, string>>;
  readonly error: GrpcError | undefined;
  /** Names of completed vertexes, with what became of them. */
  readonly steps: readonly string[];
  /** What the steps have counted in the end, by name. */
  readonly counts: ReadonlyMap<string, number>;
  readonly log: string;
  readonly warnings: readonly VertexWarning[];
  /** Of the result, through the gateway. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly transfers: readonly Transfer[];
  /** Registries that credentials were asked for. */
  readonly asked: readonly string[];
}

/** What the status of a build shows. */
interface Shown {
  readonly steps: string[];
  readonly counts: Map<string, number>;
  readonly logs: Buffer[];
  readonly warnings: VertexWarning[];
  metadata: Readonly<Record<string, string>>;
}

/** A client of BuildKit, as small as it can be. */
export class BuildKitClient {
  private constructor(
    private readonly path: string,
    readonly protocol: Protocol,
    private readonly client: GrpcClient,
  ) {}

  static async open(t: TestOwner, path: string): Promise<BuildKitClient> {
    const socket = await upgrade(path, '/grpc');
    const client = new GrpcClient(connectHttp2, socket);
    t.teardown(() => client.close());
    return new BuildKitClient(path, await Protocol.load(), client);
  }

  call(
    path: string,
    request: string,
    response: string,
    message: object,
    metadata = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<object> {
    const types = { request: this.protocol.type(request), response: this.protocol.type(response) };
    return this.client.unary(path, types, message, { metadata, signal });
  }

  /** All messages that answer one. */
  async stream(path: string, request: string, response: string, message: object): Promise<readonly object[]> {
    const types = { request: this.protocol.type(request), response: this.protocol.type(response) };
    const call = this.client.stream(path, types, { signal: new AbortController().signal });
    call.send(message);
    call.end();
    const messages: object[] = [];
    for await (const item of call.messages()) messages.push(item);
    return messages;
  }

  async solve(settings: SolveSettings): Promise<Solved> {
    const { directories, attributes = {}, request = {}, signal = new AbortController().signal } = settings;
    const all = { ...directories, dockerfile: directories.dockerfile ?? directories.context ?? {} };
    const { services, receivesDirectories = false } = settings;
    const files = new FileServer(this.protocol, all, settings.secrets, services?.handlers({ receivesDirectories }));
    const session = randomUUID();
    const methods = ['FileSync/DiffCopy', 'Auth/Credentials'].map((name) => `/moby.filesync.v1.${name}`);
    methods.push(
      '/moby.buildkit.secrets.v1.Secrets/GetSecret',
      ...(services === undefined ? [] : ClientServices.methods),
    );
    const socket =
      settings.tunnelsSession === true
        ? this.#tunnel(session, methods)
        : await this.#connection(session, methods, settings.sharedKey);
    files.serve(socket);
    const ref = randomUUID();
    const isGateway = settings.throughGateway === true;
    const message = {
      Ref: ref,
      Session: session,
      ...(isGateway ? {} : { Frontend: 'dockerfile.v0', FrontendAttrs: attributes }),
      Exporters: [{ Type: 'moby', Attrs: { name: 'made' } }],
      ...request,
    };
    const shown: Shown = { steps: [], counts: new Map(), logs: [], warnings: [], metadata: {} };
    const watched = this.#watch(ref, shown);
    watched.catch(() => undefined);
    try {
      const solving = this.call(
        '/moby.buildkit.v1.Control/Solve',
        'moby.buildkit.v1.SolveRequest',
        'moby.buildkit.v1.SolveResponse',
        message,
        {},
        signal,
      );
      solving.catch(() => undefined);
      if (isGateway) await this.#runFunction(ref, attributes, shown);
      const { ExporterResponse: response } = (await solving) as { ExporterResponse: Record<string, string> };
      await watched;
      return { response, error: undefined, ...this.#outcome(shown, files) };
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      await watched.catch(() => undefined);
      return { response: {}, error, ...this.#outcome(shown, files) };
    } finally {
      socket.destroy();
    }
  }

  #connection(session: string, methods: readonly string[], sharedKey = ''): Promise<Duplex> {
    return upgrade(this.path, '/session', [
      `X-Docker-Expose-Session-Uuid: ${session}`,
      `X-Docker-Expose-Session-Sharedkey: ${sharedKey}`,
      ...methods.map((method) => `X-Docker-Expose-Session-Grpc-Method: ${method}`),
    ]);
  }

  #tunnel(session: string, methods: readonly string[]): Duplex {
    const bytes = this.protocol.type('moby.buildkit.v1.BytesMessage');
    const call = this.client.stream(
      '/moby.buildkit.v1.Control/Session',
      { request: bytes, response: bytes },
      {
        metadata: { 'x-docker-expose-session-uuid': session, 'x-docker-expose-session-grpc-method': methods },
        signal: new AbortController().signal,
      },
    );
    const outgoing = new Writable({
      write: (data: Buffer, _encoding, done) => {
        call.send({ data });
        done();
      },
      destroy: (_error, done) => {
        call.cancel();
        done(null);
      },
    });
    const incoming = async function* (): AsyncGenerator<Uint8Array> {
      for await (const message of call.messages()) yield (message as { data: Uint8Array }).data;
    };
    const socket = Duplex.from({ readable: Readable.from(incoming(), { objectMode: false }), writable: outgoing });
    return socket.on('error', () => undefined);
  }

  #outcome({ logs, ...shown }: Shown, { transfers, asked }: FileServer) {
    return { ...shown, log: Buffer.concat(logs).toString(), transfers, asked };
  }

  /** The build function of buildx: it solves, and returns the result. */
  async #runFunction(ref: string, attributes: Readonly<Record<string, string>>, shown: Shown): Promise<void> {
    const names = 'moby.buildkit.v1.frontend.';
    const metadata = { 'buildkit-controlapi-buildid': ref };
    const call = (method: string, request: string, response: string, message: object) =>
      this.call(`/${names}LLBBridge/${method}`, names + request, names + response, message, metadata);
    await call('Ping', 'PingRequest', 'PongResponse', {});
    try {
      const solve = { Frontend: 'dockerfile.v0', FrontendOpt: attributes };
      const { result } = (await call('Solve', 'SolveRequest', 'SolveResponse', solve)) as {
        result: { metadata: Record<string, Uint8Array> };
      };
      shown.metadata = Object.fromEntries(
        Object.entries(result.metadata).map(([name, value]) => [name, Buffer.from(value).toString()]),
      );
      await call('Return', 'ReturnRequest', 'ReturnResponse', { result });
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      const { number: code, message, status } = error;
      const type = this.protocol.type('google.rpc.Status');
      const returned = status === undefined ? { code, message } : type.toObject(type.decode(status));
      await call('Return', 'ReturnRequest', 'ReturnResponse', { error: returned });
    }
  }

  async #watch(ref: string, { steps, counts, logs, warnings }: Shown): Promise<void> {
    const types = {
      request: this.protocol.type('moby.buildkit.v1.StatusRequest'),
      response: this.protocol.type('moby.buildkit.v1.StatusResponse'),
    };
    const call = this.client.stream('/moby.buildkit.v1.Control/Status', types, {
      signal: new AbortController().signal,
    });
    call.send({ Ref: ref });
    call.end();
    for await (const item of call.messages()) {
      const { vertexes = [], statuses = [], logs: more = [], warnings: found = [] } = item as StatusResponse;
      warnings.push(...found);
      for (const { name, completed, cached, error } of vertexes) {
        if (!completed) continue;
        steps.push(`${name}${cached === true ? ' CACHED' : ''}${error ? ` ERROR ${error}` : ''}`);
      }
      for (const { ID: name, current } of statuses) counts.set(name, Number(current));
      logs.push(...more.map(({ msg }) => Buffer.from(msg)));
    }
  }
}

async function upgrade(path: string, target: string, headers: readonly string[] = []): Promise<Socket> {
  const socket = connect(path);
  const lines = [`POST ${target} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.includes('\r\n\r\n')) break;
  }
  const end = received.indexOf('\r\n\r\n');
  if (!received.toString().startsWith('HTTP/1.1 101 ')) throw new Error(`the upgrade was refused: ${received}`);
  socket.unshift(received.subarray(end + 4));
  return socket;
}
