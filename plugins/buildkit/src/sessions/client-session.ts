import type { Duplex } from 'node:stream';
import { callConnection } from '../grpc/call-connection.js';
import type { ClientCall, GrpcClient, Metadata, MethodTypes } from '../grpc/grpc-client.js';
import { GrpcError } from '../grpc/grpc-error.js';
import type { Protocol } from '../protocol/protocol.js';
import { ContentStore } from './content-store.js';

/** The status of https://grpc.github.io/grpc/core/md_doc_statuscodes.html. */
const notFound = 5;

interface Options {
  readonly signal: AbortSignal;
}

/** The services that a client offers to its builds, over a connection on which the engine is the caller. */
export class ClientSession {
  constructor(
    private readonly client: GrpcClient,
    private readonly protocol: Protocol,
    /** Paths of the methods the client has, in lower case. */
    private readonly methods: ReadonlySet<string>,
    /** Names what the client builds, the same in each of its sessions; empty when it does not. */
    readonly sharedKey: string,
  ) {}

  get isClosed(): boolean {
    return this.client.isClosed;
  }

  supports(path: string): boolean {
    return this.methods.has(path.toLowerCase());
  }

  /** The transfer of a directory of the client. */
  readDirectory(metadata: Metadata, { signal }: Options): ClientCall {
    const path = '/moby.filesync.v1.FileSync/DiffCopy';
    const packet = this.protocol.type('fsutil.types.Packet');
    return this.client.stream(this.#checked(path), { request: packet, response: packet }, { metadata, signal });
  }

  /** Sends a directory to the client, for the exporter with this number. */
  sendDirectory(exporter: number, { signal }: Options): ClientCall {
    const packet = this.protocol.type('fsutil.types.Packet');
    return this.#send(exporter, { request: packet, response: packet }, signal);
  }

  /** Sends a file to the client, for the exporter with this number. */
  sendFile(exporter: number, { signal }: Options): ClientCall {
    const bytes = this.protocol.type('moby.filesync.v1.BytesMessage');
    return this.#send(exporter, { request: bytes, response: bytes }, signal);
  }

  /** What the client gives as the content of a URL of its own. */
  upload({ pathname, host }: URL, { signal }: Options): ClientCall {
    const path = '/moby.upload.v1.Upload/Pull';
    const types = this.#types('moby.upload.v1.BytesMessage', 'moby.upload.v1.BytesMessage');
    return this.client.stream(this.#checked(path), types, { metadata: { urlpath: pathname, urlhost: host }, signal });
  }

  /** A directory of the client that holds content by digest. */
  contentStore(name: string): ContentStore {
    return new ContentStore(this.client, this.protocol, name);
  }

  #send(exporter: number, types: MethodTypes, signal: AbortSignal): ClientCall {
    const metadata = { 'buildkit-attachable-exporter-id': String(exporter) };
    return this.client.stream(this.#checked('/moby.filesync.v1.FileSend/DiffCopy'), types, { metadata, signal });
  }

  /** Credentials for a registry; undefined when the client has none. */
  async credentials(
    host: string,
    { signal }: Options,
  ): Promise<{ readonly username: string; readonly secret: string } | undefined> {
    const path = '/moby.filesync.v1.Auth/Credentials';
    if (!this.supports(path)) return undefined;
    const types = this.#types('moby.filesync.v1.CredentialsRequest', 'moby.filesync.v1.CredentialsResponse');
    const answer = (await this.client.unary(path, types, { Host: host }, { signal })) as {
      readonly Username: string;
      readonly Secret: string;
    };
    return answer.Secret === '' ? undefined : { username: answer.Username, secret: answer.Secret };
  }

  /** Undefined when the client has no such secret. */
  async secret(id: string, { signal }: Options): Promise<Buffer | undefined> {
    const path = '/moby.buildkit.secrets.v1.Secrets/GetSecret';
    if (!this.supports(path)) return undefined;
    const types = this.#types(
      'moby.buildkit.secrets.v1.GetSecretRequest',
      'moby.buildkit.secrets.v1.GetSecretResponse',
    );
    try {
      const answer = (await this.client.unary(path, types, { ID: id }, { signal })) as { readonly data: Uint8Array };
      return Buffer.from(answer.data);
    } catch (error) {
      if (error instanceof GrpcError && error.number === notFound) return undefined;
      throw error;
    }
  }

  /** Opens connections to an SSH agent of the client; undefined when the client has none with this id. */
  async agent(id: string, { signal }: Options): Promise<(() => Duplex) | undefined> {
    const path = '/moby.sshforward.v1.SSH/ForwardAgent';
    if (!this.supports(path)) return undefined;
    const check = this.#types('moby.sshforward.v1.CheckAgentRequest', 'moby.sshforward.v1.CheckAgentResponse');
    try {
      await this.client.unary('/moby.sshforward.v1.SSH/CheckAgent', check, { ID: id }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GrpcError) return undefined;
      throw error;
    }
    const types = this.#types('moby.sshforward.v1.BytesMessage', 'moby.sshforward.v1.BytesMessage');
    const metadata = { 'buildkit.ssh.id': id };
    return () => callConnection(this.client.stream(path, types, { metadata, signal }));
  }

  #types(request: string, response: string) {
    return { request: this.protocol.type(request), response: this.protocol.type(response) };
  }

  #checked(path: string): string {
    if (this.supports(path)) return path;
    throw new GrpcError('failed-precondition', `the session of the client does not offer ${path}`);
  }
}
