import { inject, injectable } from '@gantry/core/driver';
import { cacheExportsOf } from '../cache/cache-options.js';
import { ExportCaches } from '../cache/export-caches.js';
import type { BuildJob, JobResult } from '../jobs/build-job.js';
import type { Attributes, ControlSolveRequest, Exporter } from '../protocol/messages.js';
import { FileExporter } from './file-exporter.js';
import { ImageExporter } from './image-exporter.js';

/** Exports the result of a build to everything that its request names. */
@injectable()
export class ExportResult {
  constructor(
    @inject(ImageExporter) private readonly images: ImageExporter,
    @inject(FileExporter) private readonly files: FileExporter,
    @inject(ExportCaches) private readonly caches: ExportCaches,
  ) {}

  /** @throws EngineError naming the exporter, cache or attribute that cannot be honoured. */
  check(request: ControlSolveRequest): void {
    for (const exporter of exportersOf(request)) this.#exporterFor(exporter).check(exporter);
    cacheExportsOf(request);
  }

  /** Resolves to what the client gets to know of the result. */
  async export(job: BuildJob, result: JobResult): Promise<Attributes> {
    const responses: Attributes[] = [];
    for (const [index, exporter] of exportersOf(job.request).entries()) {
      responses.push(await this.#exporterFor(exporter).export(job, result.imageId, { index, exporter }));
    }
    for (const cache of cacheExportsOf(job.request)) responses.push(await this.caches.export(job, result, cache));
    return Object.assign({}, ...responses) as Attributes;
  }

  #exporterFor(exporter: Exporter): ImageExporter | FileExporter {
    return FileExporter.serves(exporter) ? this.files : this.images;
  }
}

function exportersOf(request: ControlSolveRequest): readonly Exporter[] {
  const first = { Type: request.ExporterDeprecated, Attrs: request.ExporterAttrsDeprecated };
  return request.Exporters.length > 0 || first.Type === '' ? request.Exporters : [first];
}
