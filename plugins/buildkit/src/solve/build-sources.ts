import { Readable } from 'node:stream';
import type { BuildSource, ContextTransfer, NamedContext } from '@gantry/build/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { Definition } from '../protocol/messages.js';
import { Protocol } from '../protocol/protocol.js';
import { ClientDirectory } from '../sessions/client-directory.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import type { FrontendAttributes } from './frontend-attributes.js';
import { parseIgnoreFile } from './parse-ignore-file.js';
import { type Client, ShownTransfer } from './shown-transfer.js';
import { imageOf } from './source-definitions.js';

/** A URL that stands for what a client sends over its session. */
const sessionHost = 'buildkit-session';

/** Finds what a client builds from: the build file, the context, and contexts with names. */
@injectable()
export class BuildSources {
  constructor(@inject(ClientSessions) private readonly sessions: ClientSessions) {}

  /** Reads build file and ignore file; a context of the client is transferred when a step needs it. */
  async source(client: Client, attributes: FrontendAttributes): Promise<BuildSource> {
    const { fileName, remoteContext, hasOwnBuildFile } = attributes;
    if (remoteContext !== '') {
      const own = hasOwnBuildFile ? await this.#buildFile(client, attributes) : undefined;
      return {
        ...remoteSource(client, remoteContext),
        fileName,
        ...(own !== undefined && { buildFile: { name: fileName, text: own.text } }),
      };
    }
    const { text, ownIgnoreFile } = await this.#buildFile(client, attributes);
    const context = await this.#directory(client, attributes, attributes.contextDirectory);
    const excluded = parseIgnoreFile(
      ownIgnoreFile ?? (await readIgnoreFile(client, context, '[internal] load .dockerignore')),
    );
    const transfer = (paths: readonly string[] | undefined): ContextTransfer =>
      new ShownTransfer(client, context, { name: '[internal] load build context', paths, excluded });
    return { buildFile: { name: fileName, text }, key: context.key(excluded), transfer };
  }

  /** The contexts with names. @throws EngineError naming one that cannot be honoured. */
  async named(
    client: Client,
    attributes: FrontendAttributes,
    inputs: Readonly<Record<string, Definition>>,
  ): Promise<ReadonlyMap<string, NamedContext>> {
    const contexts = new Map<string, NamedContext>();
    for (const [name, value] of Object.entries(attributes.contexts)) {
      contexts.set(name, await this.#named(client, attributes, { name, value, inputs }));
    }
    return contexts;
  }

  async #named(
    client: Client,
    attributes: FrontendAttributes,
    {
      name,
      value,
      inputs,
    }: { readonly name: string; readonly value: string; readonly inputs: Readonly<Record<string, Definition>> },
  ): Promise<NamedContext> {
    const image = /^docker-image:\/\/(.+)$/.exec(value)?.[1];
    if (image !== undefined) return { kind: 'image', reference: image };
    const input = /^input:(.+)$/.exec(value)?.[1];
    if (input !== undefined) {
      const definition = inputs[input];
      if (definition === undefined) throw invalidArgument(`context:${name}=${value}: the request has no such input`);
      return { kind: 'result', imageId: imageOf(input, definition, await Protocol.load()) };
    }
    const local = /^local:(.+)$/.exec(value)?.[1];
    if (local !== undefined) {
      const directory = await this.#directory(client, attributes, local);
      const open = (): Readable => Readable.from(archiveOf(client, directory, name), { objectMode: false });
      return { kind: 'archive', open };
    }
    if (/^(?:https?:\/\/|git:\/\/|git@|github\.com\/)/.test(value)) return { kind: 'remote', url: value };
    throw notImplemented(`context:${name}=${value} is not supported by this builder`);
  }

  async #directory(
    { session, signal }: Client,
    { sessions }: FrontendAttributes,
    name: string,
  ): Promise<ClientDirectory> {
    const other = sessions.get(name);
    return new ClientDirectory(other === undefined ? session : await this.sessions.get(other, { signal }), name);
  }

  async #buildFile(
    client: Client,
    attributes: FrontendAttributes,
  ): Promise<{ readonly text: string; readonly ownIgnoreFile: string | undefined }> {
    const { fileName, fileDirectory } = attributes;
    const files = await this.#directory(client, attributes, fileDirectory);
    const ownIgnoreFile = `${fileName}.dockerignore`;
    const texts = await shown(
      client.job,
      `[internal] load build definition from ${fileName}`,
      'transferring dockerfile:',
      () => files.texts([fileName, ownIgnoreFile], { signal: client.signal }),
    );
    const text = texts.get(fileName);
    if (text === undefined) {
      throw invalidArgument(`failed to read dockerfile: open ${fileName}: no such file or directory`);
    }
    return { text, ownIgnoreFile: texts.get(ownIgnoreFile) };
  }
}

/** A context at a URL, or one that the client sends under a URL of its own. */
function remoteSource({ session, signal }: Client, url: string): { readonly remote: string; readonly body: Readable } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.host !== sessionHost) return { remote: url, body: Readable.from([]) };
  const call = session.upload(parsed, { signal });
  call.end();
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const message of call.messages()) yield (message as { readonly data: Uint8Array }).data;
  };
  return { remote: '', body: Readable.from(bytes(), { objectMode: false }) };
}

async function readIgnoreFile(client: Client, directory: ClientDirectory, name: string): Promise<string> {
  const texts = await shown(client.job, name, 'transferring context:', () =>
    directory.texts(['.dockerignore'], { signal: client.signal }),
  );
  return texts.get('.dockerignore') ?? '';
}

async function* archiveOf(client: Client, directory: ClientDirectory, name: string): AsyncGenerator<Uint8Array> {
  const excluded = parseIgnoreFile(await readIgnoreFile(client, directory, `[context ${name}] load .dockerignore`));
  yield* new ShownTransfer(client, directory, { name: `[context ${name}] load from client`, excluded }).archive();
}

/** Shows the transfer of small files as a vertex. */
async function shown(
  job: BuildJob,
  name: string,
  status: string,
  read: () => Promise<ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const vertex = job.progress.vertex(name).start();
  try {
    const texts = await read();
    const current = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    vertex.status(status, { current, isComplete: true });
    vertex.complete();
    return texts;
  } catch (error) {
    vertex.complete({ error: describeFailure(error) });
    throw error;
  }
}
