import { Readable } from 'node:stream';
import { internal, notFound } from '@gantry/core/errors';
import type { GrpcClient } from '../grpc/grpc-client.js';
import { GrpcError } from '../grpc/grpc-error.js';
import type { Protocol } from '../protocol/protocol.js';

const names = 'containerd.services.content.v1.';
/** https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const codes = { notFound: 5, alreadyExists: 6 } as const;
const actions = { stat: 0, write: 1, commit: 2 } as const;
/** Largest document that is read as a text, in bytes. */
const maxTextLength = 16 * 2 ** 20;

interface Options {
  readonly signal: AbortSignal;
}

/** Content by digest, in a directory of the client. */
export class ContentStore {
  constructor(
    private readonly client: GrpcClient,
    private readonly protocol: Protocol,
    /** As the client names the directory, such as `local:/path`. */
    private readonly name: string,
  ) {}

  /** The stream fails with `not-found` when the content is absent. */
  read(digest: string, { signal }: Options): Readable {
    return Readable.from(this.#read(digest, signal), { objectMode: false });
  }

  async text(digest: string, options: Options): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.#read(digest, options.signal)) {
      length += chunk.length;
      if (length > maxTextLength) throw internal(`${digest} is larger than ${maxTextLength} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Writes content unless the client has it. Its digest is checked by the client. */
  async write(
    { digest, size }: { readonly digest: string; readonly size: number },
    content: AsyncIterable<Uint8Array>,
    { signal }: Options,
  ): Promise<void> {
    const call = this.client.stream(
      '/containerd.services.content.v1.Content/Write',
      this.#types('WriteContentRequest', 'WriteContentResponse'),
      { metadata: this.#metadata(), signal },
    );
    const answers = call.messages();
    const facts = { ref: digest, total: size, expected: digest };
    try {
      await call.write({ ...facts, action: actions.stat });
      await answers.next();
      let offset = 0;
      for await (const data of content) {
        await call.write({ ...facts, action: actions.write, offset, data });
        await answers.next();
        offset += data.length;
      }
      await call.write({ ...facts, action: actions.commit, offset });
      await answers.next();
      call.end();
      for await (const _rest of answers);
    } catch (error) {
      if (error instanceof GrpcError && error.number === codes.alreadyExists) return;
      throw error;
    } finally {
      call.cancel();
    }
  }

  async *#read(digest: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const call = this.client.stream(
      '/containerd.services.content.v1.Content/Read',
      this.#types('ReadContentRequest', 'ReadContentResponse'),
      { metadata: this.#metadata(), signal },
    );
    call.send({ digest });
    call.end();
    try {
      for await (const message of call.messages()) yield (message as { readonly data: Uint8Array }).data;
    } catch (error) {
      if (!(error instanceof GrpcError) || error.number !== codes.notFound) throw error;
      throw notFound(`the client has no content ${digest}`, { cause: error });
    } finally {
      call.cancel();
    }
  }

  #metadata() {
    return { 'buildkit-attachable-store-id': this.name };
  }

  #types(request: string, response: string) {
    return { request: this.protocol.type(names + request), response: this.protocol.type(names + response) };
  }
}
