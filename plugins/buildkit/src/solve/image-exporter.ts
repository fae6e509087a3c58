import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { formatReference, ImageExchange, parseReference } from '@gantry/images/service';
import { describeFailure } from '../progress/vertex-stage-output.js';
import type { Attributes, Exporter } from '../protocol/messages.js';
import type { BuildJob } from './build-job.js';

/**
 * Attributes that ask for what the engine does anyway. `push` is the client's work: it pushes the image once the build
 * is complete.
 */
const fulfilled: Readonly<Record<string, RegExp>> = {
  push: /./,
  'push-by-digest': /^(?:0|f|false)$/i,
  'registry.insecure': /./,
  unpack: /./,
  store: /^(?:1|t|true)$/i,
};

/** The exporter `moby`: the image stays in the engine, under its names. */
@injectable()
export class ImageExporter {
  constructor(@inject(ImageExchange.token) private readonly exchange: ImageExchange) {}

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
  async export(job: BuildJob, imageId: string, { Attrs }: Exporter): Promise<Attributes> {
    const names = namesOf(Attrs);
    const vertex = job.progress.vertex('exporting to image').start();
    try {
      vertex.status(`writing image ${imageId}`, { isComplete: true });
      await this.exchange.name(imageId, names);
      for (const name of names) vertex.status(`naming to ${fullName(name)}`, { isComplete: true });
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
}

function namesOf({ name = '' }: Attributes): readonly string[] {
  const names = name.split(',').filter((item) => item !== '');
  return names.map((text) => {
    const reference = parseReference(text);
    if (reference.digest !== undefined) throw invalidArgument(`name: "${text}" cannot have a digest`);
    return formatReference(reference);
  });
}

/** With the registry and its `library/`, as clients of BuildKit show it. */
function fullName(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `docker.io/library/${name}`;
  return /[.:]|^localhost$/.test(first) ? name : `docker.io/${name}`;
}
