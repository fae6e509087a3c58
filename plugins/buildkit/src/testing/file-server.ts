import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { decodeFrames, encodeFrame } from '../grpc/frames.js';
import type { Packet } from '../protocol/messages.js';
import type { Protocol } from '../protocol/protocol.js';
import { type ServiceHandler, StatusError } from './client-services.js';

/** A file whose content is not what its listing says. */
interface ListedFile {
  readonly mode: number;
  readonly linkname?: string;
  readonly size?: number;
  readonly text?: string;
}

export type Files = Readonly<Record<string, string | ListedFile>>;

/** What the engine asked of a directory. */
export interface Transfer {
  readonly directory: string;
  readonly paths: readonly string[];
  readonly excluded: readonly string[];
  /** Files whose content was requested. */
  readonly requested: string[];
}

const directoryMode = 0x8000_0000 + 0o755;
const list = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : value.split(', ');

/** The side of a session that a client has: directories, secrets and credentials. */
export class FileServer {
  readonly transfers: Transfer[] = [];
  readonly asked: string[] = [];
  readonly #server: Http2Server;

  constructor(
    private readonly protocol: Protocol,
    private readonly directories: Readonly<Record<string, Files>>,
    private readonly secrets: Readonly<Record<string, string>> = {},
    services: Readonly<Record<string, ServiceHandler>> = {},
  ) {
    this.#server = createServer();
    const handlers: Readonly<Record<string, ServiceHandler>> = {
      ...services,
      '/moby.filesync.v1.FileSync/DiffCopy': (stream, messages) => this.#sendDirectory(stream, messages),
      '/moby.buildkit.secrets.v1.Secrets/GetSecret': (stream, messages) => this.#sendSecret(stream, messages),
      '/moby.filesync.v1.Auth/Credentials': (stream, messages) => this.#sendCredentials(stream, messages),
    };
    this.#server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const handler = handlers[headers[':path'] ?? ''];
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      let status = { 'grpc-status': '0', 'grpc-message': '' };
      stream.once('wantTrailers', () => stream.sendTrailers(status));
      if (handler === undefined) throw new Error(`the test has no ${headers[':path']}`);
      if (headers[':path'] === '/moby.filesync.v1.FileSync/DiffCopy') {
        this.transfers.push({
          directory: String(headers['dir-name']),
          paths: list(headers.followpaths),
          excluded: list(headers['exclude-patterns']),
          requested: [],
        });
      }
      handler(stream, decodeFrames(stream), headers)
        .catch((error: Error) => {
          const code = error instanceof StatusError ? error.status : 5;
          status = { 'grpc-status': String(code), 'grpc-message': error.message };
        })
        .finally(() => stream.end());
    });
  }

  serve(socket: Duplex): void {
    this.#server.emit('connection', socket);
  }

  async #sendDirectory(stream: ServerHttp2Stream, messages: AsyncIterable<Buffer>): Promise<void> {
    const transfer = this.transfers.at(-1);
    if (transfer === undefined) throw new Error('no transfer');
    const files = this.directories[transfer.directory];
    if (files === undefined) throw new Error(`no access allowed to dir ${transfer.directory}`);
    const packet = this.protocol.type('fsutil.types.Packet');
    const send = (message: object): void => {
      stream.write(encodeFrame(packet.encode(packet.fromObject(message)).finish()));
    };
    const names = Object.keys(files)
      .filter((name) => isSelected(name, transfer))
      .sort();
    const entries = withParents(names);
    for (const path of entries) {
      const file = files[path];
      const facts = typeof file === 'object' ? file : { mode: file === undefined ? directoryMode : 0o644 };
      const size = typeof file === 'string' ? Buffer.byteLength(file) : 0;
      send({ type: 0, stat: { path, size, modTime: 1_700_000_000_000_000_000, ...facts } });
    }
    send({ type: 0 });
    for await (const bytes of messages) {
      const { type, ID } = packet.toObject(packet.decode(bytes), { defaults: true }) as Packet;
      if (type === 3) {
        send({ type: 3 });
        continue;
      }
      const path = entries[ID] ?? '';
      transfer.requested.push(path);
      // In two pieces, so that the engine has to join them.
      const file = files[path];
      const content = Buffer.from(typeof file === 'object' ? (file.text ?? '') : String(file));
      const half = Math.ceil(content.length / 2);
      send({ type: 2, ID, data: content.subarray(0, half) });
      if (half < content.length) send({ type: 2, ID, data: content.subarray(half) });
      send({ type: 2, ID });
    }
  }

  async #sendSecret(stream: ServerHttp2Stream, messages: AsyncIterable<Buffer>): Promise<void> {
    const request = this.protocol.type('moby.buildkit.secrets.v1.GetSecretRequest');
    const response = this.protocol.type('moby.buildkit.secrets.v1.GetSecretResponse');
    let id = '';
    for await (const bytes of messages) ({ ID: id } = request.toObject(request.decode(bytes)) as { ID: string });
    const data = this.secrets[id];
    if (data === undefined) throw new Error(`secret ${id}: not found`);
    stream.write(encodeFrame(response.encode(response.fromObject({ data: Buffer.from(data) })).finish()));
  }

  async #sendCredentials(stream: ServerHttp2Stream, messages: AsyncIterable<Buffer>): Promise<void> {
    const request = this.protocol.type('moby.filesync.v1.CredentialsRequest');
    const response = this.protocol.type('moby.filesync.v1.CredentialsResponse');
    for await (const bytes of messages) {
      this.asked.push((request.toObject(request.decode(bytes)) as { Host: string }).Host);
      stream.write(encodeFrame(response.encode(response.fromObject({ Username: 'anna', Secret: 'word' })).finish()));
    }
  }
}

/** As far as the tests need it: literal names, and patterns such as `*.log`. */
function isSelected(name: string, { paths, excluded }: Transfer): boolean {
  const matches = (pattern: string): boolean =>
    pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern || name.startsWith(`${pattern}/`);
  return (paths.length === 0 || paths.some(matches)) && !excluded.some(matches);
}

function withParents(names: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (const name of names) {
    for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) all.add(name.slice(0, at));
    all.add(name);
  }
  return [...all].sort();
}
