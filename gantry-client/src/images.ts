import { ByteStream } from './byte-stream.js';
import type { Bytes, Caller } from './caller.js';
import type { Filters } from './filters.js';
import { jsonLines } from './json-lines.js';
import type { ImageDetails, ImageSummary, ProgressItem } from './types.js';

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly serveraddress?: string;
}

export interface TransferOptions {
  readonly credentials?: Credentials;
  readonly platform?: string;
  readonly onProgress?: (item: ProgressItem) => void;
  readonly signal?: AbortSignal;
}

export interface BuildOptions extends TransferOptions {
  readonly tags?: readonly string[];
  readonly dockerfile?: string;
  readonly target?: string;
  readonly buildArguments?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly noCache?: boolean;
}

/** The images of an engine. */
export class Images {
  constructor(private readonly caller: Caller) {}

  list({
    all,
    filters,
  }: {
    readonly all?: boolean;
    readonly filters?: Filters;
  } = {}): Promise<readonly ImageSummary[]> {
    return this.caller.json<readonly ImageSummary[]>('GET /images/json', { query: { all, filters } });
  }

  inspect(name: string): Promise<ImageDetails> {
    return this.caller.json<ImageDetails>('GET /images/{name}/json', { path: { name } });
  }

  /** Pulls `busybox`, `busybox:1.36` or `busybox@sha256:…`. Resolves when the image is there. */
  async pull(reference: string, { credentials, platform, onProgress, signal }: TransferOptions = {}): Promise<void> {
    const { repository, tag } = splitReference(reference);
    const query = { fromImage: repository, tag, platform };
    await this.#progress('POST /images/create', { query, headers: authOf(credentials), signal }, onProgress);
  }

  async push(reference: string, { credentials, onProgress, signal }: TransferOptions = {}): Promise<void> {
    const { repository, tag } = splitReference(reference);
    const options = { path: { name: repository }, query: { tag }, headers: authOf(credentials ?? {}), signal };
    await this.#progress('POST /images/{name}/push', options, onProgress);
  }

  /** Builds from a tar archive with the Dockerfile. @returns the id of the image. */
  async build(context: Bytes, options: BuildOptions = {}): Promise<string> {
    const { tags, dockerfile, target, buildArguments, labels, noCache, platform, onProgress, signal } = options;
    const query = {
      t: tags,
      buildfile: dockerfile,
      target,
      buildargs: buildArguments,
      labels,
      nocache: noCache,
      platform,
    };
    let id = '';
    const headers = { 'Content-Type': 'application/x-tar' };
    await this.#progress('POST /build', { query, headers, body: context, signal }, (item) => {
      const aux = item.aux as { readonly ID?: unknown } | undefined;
      if (typeof aux?.ID === 'string') id = aux.ID;
      onProgress?.(item);
    });
    return id;
  }

  /** Loads what `save` wrote. */
  async load(
    archive: Bytes,
    { onProgress, signal }: Pick<TransferOptions, 'onProgress' | 'signal'> = {},
  ): Promise<void> {
    const headers = { 'Content-Type': 'application/x-tar' };
    await this.#progress('POST /images/load', { headers, body: archive, signal }, onProgress);
  }

  /** An archive of images. */
  async save(names: readonly string[]): Promise<ByteStream> {
    return new ByteStream((await this.caller.call('GET /images/get', { query: { names } })).body);
  }

  async tag(name: string, reference: string): Promise<void> {
    const { repository, tag } = splitReference(reference);
    const options = { path: { name }, query: { repo: repository, tag } };
    (await this.caller.call('POST /images/{name}/tag', options)).body.resume();
  }

  async remove(name: string, { force }: { readonly force?: boolean } = {}): Promise<void> {
    await this.caller.json('DELETE /images/{name}', { path: { name }, query: { force } });
  }

  async #progress(
    route: string,
    options: Parameters<Caller['call']>[1],
    onProgress: ((item: ProgressItem) => void) | undefined,
  ): Promise<void> {
    const { body } = await this.caller.call(route, options);
    for await (const item of jsonLines<ProgressItem>(body, route)) onProgress?.(item);
  }
}

const authOf = (credentials: Credentials | undefined): Readonly<Record<string, string>> =>
  credentials === undefined
    ? {}
    : { 'X-Registry-Auth': Buffer.from(JSON.stringify(credentials)).toString('base64url') };

/** A colon behind the last slash separates the tag; a digest counts as one. */
function splitReference(reference: string): { readonly repository: string; readonly tag: string } {
  const at = reference.indexOf('@');
  if (at >= 0) return { repository: reference.slice(0, at), tag: reference.slice(at + 1) };
  const colon = reference.indexOf(':', reference.lastIndexOf('/') + 1);
  if (colon < 0) return { repository: reference, tag: 'latest' };
  return { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) };
}
