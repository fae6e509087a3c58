import { StringDecoder } from 'node:string_decoder';
import type { JsonStream } from '@gantry/core/http';
import type { Chunk } from '@gantry/core/streams';

/** The output of a build to its client. A quiet build prints the image id, or all its output when it fails. */
export class BuildOutput {
  #held: object[] | undefined;

  constructor(
    private readonly stream: JsonStream,
    quiet: boolean,
  ) {
    this.#held = quiet ? [] : undefined;
  }

  /** Applies the client's backpressure. */
  async write(text: string): Promise<void> {
    await this.object({ stream: text });
  }

  /** Progress of something else, such as a pull. */
  async object(item: object): Promise<void> {
    if (this.#held === undefined) await this.stream.write(item);
    else this.#held.push(item);
  }

  /** `asObject` adds an object with the id for clients that do not parse the text. */
  async result(imageId: string, { asObject }: { readonly asObject: boolean }): Promise<void> {
    if (asObject) await this.stream.write({ aux: { ID: imageId } });
    if (this.#held !== undefined) await this.stream.write({ stream: `${imageId}\n` });
    else await this.write(`Successfully built ${shortId(imageId)}\n`);
  }

  /** The last object: the error. */
  async failure(message: string, code?: number): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const item of held) await this.object(item);
    await this.object({ errorDetail: { ...(code !== undefined && { code }), message }, error: message });
  }

  /** The output of a step's program; stderr in red. */
  async program(chunks: AsyncIterable<Chunk>): Promise<void> {
    const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
    for await (const { stream, data } of chunks) {
      const name = stream === 'stderr' ? 'stderr' : 'stdout';
      const text = decoders[name].write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      if (text !== '') await this.write(name === 'stderr' ? `\u001b[91m${text}\u001b[0m` : text);
    }
  }
}

export const shortId = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);
