import type { ClientCall, GrpcClient, Metadata } from '../grpc/grpc-client.js';
import { GrpcError } from '../grpc/grpc-error.js';
import type { Protocol } from '../protocol/protocol.js';

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

  #types(request: string, response: string) {
    return { request: this.protocol.type(request), response: this.protocol.type(response) };
  }

  #checked(path: string): string {
    if (this.supports(path)) return path;
    throw new GrpcError('failed-precondition', `the session of the client does not offer ${path}`);
  }
}
