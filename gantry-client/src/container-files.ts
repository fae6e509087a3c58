import { ByteStream } from './byte-stream.js';
import type { Bytes, Caller } from './caller.js';
import type { FileStat } from './types.js';

/** Files of a container, as tar archives. */
export class ContainerFiles {
  readonly #caller: Caller;

  constructor(
    caller: Caller,
    private readonly id: string,
  ) {
    this.#caller = caller;
  }

  /** An archive of a file, or of a directory with what is below it. */
  async read(path: string): Promise<ByteStream> {
    const options = { path: { id: this.id }, query: { path } };
    return new ByteStream((await this.#caller.call('GET /containers/{id}/archive', options)).body);
  }

  /** Unpacks an archive, which may be compressed, in a directory. */
  async write(path: string, archive: Bytes): Promise<void> {
    const headers = { 'Content-Type': 'application/x-tar' };
    const options = { path: { id: this.id }, query: { path }, headers, body: archive };
    (await this.#caller.call('PUT /containers/{id}/archive', options)).body.resume();
  }

  async stat(path: string): Promise<FileStat> {
    const options = { path: { id: this.id }, query: { path } };
    const { headers, body } = await this.#caller.call('HEAD /containers/{id}/archive', options);
    body.resume();
    const encoded = Object.entries(headers).find(([name]) => /container-path-stat$/i.test(name))?.[1];
    return JSON.parse(Buffer.from(String(encoded), 'base64').toString()) as FileStat;
  }

  /** An archive of its whole root file system. */
  async export(): Promise<ByteStream> {
    return new ByteStream((await this.#caller.call('GET /containers/{id}/export', { path: { id: this.id } })).body);
  }
}
