import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { encodeFrame } from '../grpc/frames.js';
import type { Packet } from '../protocol/messages.js';
import type { Protocol } from '../protocol/protocol.js';

export type ServiceHandler = (
  stream: ServerHttp2Stream,
  messages: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
) => Promise<void>;

/** The error of a call with its status in gRPC. */
export class StatusError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** What a client receives of builds and gives them beside its directories: exports, content by digest, uploads, agents. */
export class ClientServices {
  /** What the exporters that send one file sent, by the number of the exporter. */
  readonly files = new Map<string, Buffer>();
  /** Text of the files, and types of the others, of exported directories. */
  readonly directory = new Map<string, string>();
  /** Content by store and digest. */
  readonly content = new Map<string, Buffer>();
  readonly uploads = new Map<string, Buffer>();

  constructor(private readonly protocol: Protocol) {}

  static readonly methods = [
    '/moby.filesync.v1.FileSend/DiffCopy',
    '/moby.upload.v1.Upload/Pull',
    '/moby.sshforward.v1.SSH/CheckAgent',
    '/moby.sshforward.v1.SSH/ForwardAgent',
    '/containerd.services.content.v1.Content/Read',
    '/containerd.services.content.v1.Content/Write',
  ];

  /** @param receivesDirectories the exports are directories, else single files. */
  handlers({
    receivesDirectories,
  }: {
    readonly receivesDirectories: boolean;
  }): Readonly<Record<string, ServiceHandler>> {
    return {
      '/moby.filesync.v1.FileSend/DiffCopy': receivesDirectories ? this.#receiveDirectory : this.#receiveFile,
      '/moby.upload.v1.Upload/Pull': this.#upload,
      '/moby.sshforward.v1.SSH/CheckAgent': this.#checkAgent,
      '/moby.sshforward.v1.SSH/ForwardAgent': this.#forwardAgent,
      '/containerd.services.content.v1.Content/Read': this.#readContent,
      '/containerd.services.content.v1.Content/Write': this.#writeContent,
    };
  }

  readonly #receiveFile: ServiceHandler = async (_stream, messages, headers) => {
    const chunks: Uint8Array[] = [];
    for await (const { data } of this.#decoded<{ data: Uint8Array }>('moby.filesync.v1.BytesMessage', messages)) {
      chunks.push(data);
    }
    this.files.set(String(headers['buildkit-attachable-exporter-id']), Buffer.concat(chunks));
  };

  readonly #receiveDirectory: ServiceHandler = async (stream, messages) => {
    const paths: string[] = [];
    const open = new Map<number, Buffer[]>();
    let isListed = false;
    const send = (message: object): void => this.#send(stream, 'fsutil.types.Packet', message);
    for await (const { type, stat, ID, data } of this.#decoded<Packet>('fsutil.types.Packet', messages)) {
      if (type === 0 && stat) {
        const isFile = stat.mode < 0x200_0000 && stat.linkname === '';
        this.directory.set(stat.path, stat.linkname === '' ? '' : `-> ${stat.linkname}`);
        if (isFile && stat.size > 0) {
          open.set(paths.length, []);
          send({ type: 1, ID: paths.length });
        }
        paths.push(stat.path);
      } else if (type === 0) isListed = true;
      else if (type === 2 && data.length > 0) open.get(ID)?.push(Buffer.from(data));
      else if (type === 2) {
        this.directory.set(paths[ID] ?? '', Buffer.concat(open.get(ID) ?? []).toString());
        open.delete(ID);
      }
      if (isListed && open.size === 0 && type !== 3) send({ type: 3 });
    }
  };

  readonly #upload: ServiceHandler = async (stream, _messages, headers) => {
    const data = this.uploads.get(String(headers.urlpath));
    if (data === undefined) throw new StatusError(5, 'no such upload');
    this.#send(stream, 'moby.upload.v1.BytesMessage', { data });
  };

  readonly #checkAgent: ServiceHandler = async (stream, messages) => {
    for await (const { ID } of this.#decoded<{ ID: string }>('moby.sshforward.v1.CheckAgentRequest', messages)) {
      if (ID !== 'default') throw new StatusError(5, `unset ssh forward key ${ID}`);
      this.#send(stream, 'moby.sshforward.v1.CheckAgentResponse', {});
    }
  };

  /** Answers in capitals. */
  readonly #forwardAgent: ServiceHandler = async (stream, messages) => {
    const type = 'moby.sshforward.v1.BytesMessage';
    for await (const { data } of this.#decoded<{ data: Uint8Array }>(type, messages)) {
      this.#send(stream, type, { data: Buffer.from(Buffer.from(data).toString().toUpperCase()) });
    }
  };

  readonly #readContent: ServiceHandler = async (stream, messages, headers) => {
    const type = 'containerd.services.content.v1.ReadContentRequest';
    for await (const { digest } of this.#decoded<{ digest: string }>(type, messages)) {
      const data = this.content.get(`${headers['buildkit-attachable-store-id']} ${digest}`);
      if (data === undefined) throw new StatusError(5, 'content not found');
      this.#send(stream, 'containerd.services.content.v1.ReadContentResponse', { data });
    }
  };

  readonly #writeContent: ServiceHandler = async (stream, messages, headers) => {
    const chunks: Uint8Array[] = [];
    const type = 'containerd.services.content.v1.WriteContentRequest';
    const requests = this.#decoded<{ action: number; expected: string; data: Uint8Array }>(type, messages);
    for await (const { action, expected, data } of requests) {
      const key = `${headers['buildkit-attachable-store-id']} ${expected}`;
      if (action === 0 && this.content.has(key)) throw new StatusError(6, 'already exists');
      if (action === 1) chunks.push(data);
      if (action === 2) {
        const content = Buffer.concat(chunks);
        const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
        if (digest !== expected) throw new StatusError(9, `unexpected digest ${digest}`);
        this.content.set(key, content);
      }
      this.#send(stream, 'containerd.services.content.v1.WriteContentResponse', { action });
    }
  };

  #send(stream: ServerHttp2Stream, name: string, message: object): void {
    const type = this.protocol.type(name);
    stream.write(encodeFrame(type.encode(type.fromObject(message)).finish()));
  }

  async *#decoded<T>(name: string, messages: AsyncIterable<Buffer>): AsyncGenerator<T> {
    const type = this.protocol.type(name);
    // Not for-await: that would destroy the stream, and with it the status of a call that fails.
    const iterator = messages[Symbol.asyncIterator]();
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield type.toObject(type.decode(next.value), { defaults: true, longs: Number }) as T;
    }
  }
}
