import { Readable } from 'node:stream';
import { BuildService, type BuildSource, type FindCredentials } from '@gantry/build/service';
import type { StepJudge } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageService, parseReference } from '@gantry/images/service';
import { GrpcError } from '../grpc/grpc-error.js';
import { VertexOutput } from '../progress/vertex-output.js';
import { describeFailure } from '../progress/vertex-stage-output.js';
import type { Attributes } from '../protocol/messages.js';
import { ClientDirectory } from '../sessions/client-directory.js';
import type { ClientSession } from '../sessions/client-session.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import type { BuildJob } from './build-job.js';
import { cacheSourcesOf } from './cache-options.js';
import { type FrontendAttributes, parseFrontendAttributes } from './frontend-attributes.js';
import { parseIgnoreFile } from './parse-ignore-file.js';

interface SolveOptions {
  readonly signal: AbortSignal;
  readonly judge: StepJudge;
}

/** The frontend `dockerfile.v0`, answered by the engine's own builder. */
@injectable()
export class SolveDockerfile {
  constructor(
    @inject(BuildService.token) private readonly builder: BuildService,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
  ) {}

  /**
   * Resolves to the name of the result in the job, which keeps the image. Rejects with the code that clients print no
   * name for: whatever fails is the build.
   */
  async solve(job: BuildJob, options: Attributes, { signal: callSignal, judge }: SolveOptions): Promise<string> {
    const signal = AbortSignal.any([callSignal, job.signal]);
    try {
      return await this.#build(job, options, { signal, judge });
    } catch (error) {
      signal.throwIfAborted();
      throw new GrpcError('unknown', describeFailure(error), { cause: error });
    }
  }

  async #build(job: BuildJob, options: Attributes, { signal, judge }: SolveOptions): Promise<string> {
    const attributes = parseFrontendAttributes(options);
    const session = await this.sessions.get(job.request.Session, { signal });
    const source = await this.#source(job, attributes, session, signal);
    const request = {
      ...attributes.request,
      cacheFrom: cacheSourcesOf(job.request),
      credentials: credentialsOf(session, signal),
      readSecret: (id: string) => session.secret(id, { signal }),
    };
    let result = '';
    const complete = async (imageId: string): Promise<void> => {
      result = job.addResult(imageId, this.images.hold(imageId));
    };
    await this.builder.build(source, request, new VertexOutput(job.progress), { signal, judge, complete });
    return result;
  }

  /** Reads build file and ignore file; the context is transferred when a step needs it. */
  async #source(
    job: BuildJob,
    attributes: FrontendAttributes,
    session: ClientSession,
    signal: AbortSignal,
  ): Promise<BuildSource> {
    const { fileName, fileDirectory, contextDirectory } = attributes;
    const directory = async (name: string): Promise<ClientDirectory> => {
      const other = attributes.sessions.get(name);
      return new ClientDirectory(other === undefined ? session : await this.sessions.get(other, { signal }), name);
    };
    const ownIgnoreFile = `${fileName}.dockerignore`;
    const files = await directory(fileDirectory);
    const texts = await shown(
      job,
      `[internal] load build definition from ${fileName}`,
      'transferring dockerfile:',
      () => files.texts([fileName, ownIgnoreFile], { signal }),
    );
    const text = texts.get(fileName);
    if (text === undefined) {
      throw invalidArgument(`failed to read dockerfile: open ${fileName}: no such file or directory`);
    }
    const context = await directory(contextDirectory);
    const ignored =
      texts.get(ownIgnoreFile) ??
      (
        await shown(job, '[internal] load .dockerignore', 'transferring context:', () =>
          context.texts(['.dockerignore'], { signal }),
        )
      ).get('.dockerignore') ??
      '';
    const excluded = parseIgnoreFile(ignored);
    const archive = (paths: readonly string[] | undefined): Readable => {
      const vertex = job.progress.vertex('[internal] load build context').start();
      const transfer = async function* (): AsyncGenerator<Uint8Array> {
        let received = 0;
        const onProgress = (bytes: number): void => {
          if (bytes - received < 2 ** 20) return;
          received = bytes;
          vertex.status('transferring context:', { current: bytes });
        };
        let total = 0;
        try {
          for await (const chunk of context.archive({ paths, excluded, signal, onProgress })) {
            total += chunk.length;
            yield chunk;
          }
          vertex.status('transferring context:', { current: total, isComplete: true });
          vertex.complete();
        } catch (error) {
          vertex.complete({ error: describeFailure(error) });
          throw error;
        }
      };
      return Readable.from(transfer(), { objectMode: false });
    };
    return { buildFile: { name: fileName, text }, archive };
  }
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

/** Clients know the registry of Docker by another name than references. */
const hostForClient = (registry: string): string => (registry === 'docker.io' ? 'registry-1.docker.io' : registry);
const hostForEngine = (registry: string): string => (registry === 'docker.io' ? 'index.docker.io' : registry);

/** Asks the client for credentials when an image is to be pulled. */
function credentialsOf(session: ClientSession, signal: AbortSignal): FindCredentials {
  return async (reference) => {
    const registry = registryOf(reference);
    const found = await session.credentials(hostForClient(registry), { signal });
    if (found === undefined) return new Map();
    const { username, secret } = found;
    // Without a name the secret is a token.
    const credentials = username === '' ? { identitytoken: secret } : { username, password: secret };
    return new Map([[hostForEngine(registry), credentials]]);
  };
}

function registryOf(reference: string): string {
  const [first = '', ...rest] = parseReference(reference).repository.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : 'docker.io';
}
