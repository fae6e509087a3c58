import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { ImageExchange } from '@gantry/images/service';
import { RegistryClient } from '@gantry/registry/service';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { JobVertex } from '../progress/job-vertex.js';
import type { Attributes, Exporter } from '../protocol/messages.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import { targetFor } from '../sessions/registry-credentials.js';
import { namesOf } from './names-of.js';

/** Attributes that ask for what is done anyway. */
const fulfilled: Readonly<Record<string, RegExp>> = {
  push: /^(?:0|1|f|t|false|true)$/i,
  'push-by-digest': /^(?:0|f|false)$/i,
  'registry.insecure': /./,
  unpack: /./,
  store: /^(?:1|t|true)$/i,
};

/** The exporter `moby`: the image stays in the engine, under its names. */
@injectable()
export class ImageExporter {
  constructor(
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(RegistryClient.token) private readonly registry: RegistryClient,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
  ) {}

  /** @throws EngineError naming the attribute that cannot be honoured. */
  check({ Type, Attrs }: Exporter): void {
    if (Type !== 'moby' && Type !== 'image') throw notImplemented(`exporter ${Type} is not supported by this builder`);
    for (const [name, value] of Object.entries(Attrs)) {
      if (name === 'name' || fulfilled[name]?.test(value) === true) continue;
      throw notImplemented(`the attribute ${name}=${value} of exporter ${Type} is not supported by this builder`);
    }
    namesOf(Attrs);
  }

  /** Resolves to what the client gets to know of the image. */
  async export(
    job: BuildJob,
    imageId: string,
    { exporter: { Attrs } }: { readonly exporter: Exporter },
  ): Promise<Attributes> {
    const names = namesOf(Attrs);
    const vertex = job.progress.vertex('exporting to image').start();
    try {
      vertex.status(`writing image ${imageId}`, { isComplete: true });
      await this.exchange.name(imageId, names);
      for (const name of names) vertex.status(`naming to ${fullName(name)}`, { isComplete: true });
      if (/^(?:1|t|true)$/i.test(Attrs.push ?? '')) await this.#push(job, names, vertex);
      vertex.complete();
    } catch (error) {
      vertex.complete({ error: describeFailure(error) });
      throw error;
    }
    return {
      'containerimage.config.digest': imageId,
      'containerimage.digest': imageId,
      ...(names.length > 0 && { 'image.name': names.join(',') }),
    };
  }

  /** Pushes the image under each of its names, with the credentials of the client. */
  async #push(job: BuildJob, names: readonly string[], vertex: JobVertex): Promise<void> {
    if (names.length === 0) throw invalidArgument('push: a name is needed when pushing to a registry');
    const { signal } = job;
    const session = await this.sessions.get(job.request.Session, { signal });
    for (const name of names) {
      const target = await targetFor(session, name, signal);
      await this.registry.push(target, { signal, onProgress: () => undefined });
      vertex.status(`pushing ${fullName(name)}`, { isComplete: true });
    }
  }
}

/** With the registry and its `library/`, as clients of BuildKit show it. */
function fullName(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `docker.io/library/${name}`;
  return /[.:]|^localhost$/.test(first) ? name : `docker.io/${name}`;
}
