import type { ImageOutput } from '@gantry/build/service';
import { isRecord } from '@gantry/core/driver';
import { describeFailure } from './describe-failure.js';
import type { JobProgress } from './job-progress.js';
import type { JobVertex } from './job-vertex.js';

/** Shows how an image is found, and how its layers are fetched. */
export class VertexImageOutput implements ImageOutput {
  readonly #search: JobVertex;
  #image: JobVertex | undefined;

  constructor(
    private readonly progress: JobProgress,
    reference: string,
    private readonly name: string,
  ) {
    this.#search = progress.vertex(`[internal] load metadata for ${reference}`).start();
  }

  /** Of the vertex that steps on the image follow. */
  get digest(): string | undefined {
    return this.#image?.digest;
  }

  object(item: object): void {
    const { id, status, progressDetail } = item as { id?: unknown; status?: unknown; progressDetail?: unknown };
    if (typeof status !== 'string') return;
    const { current, total } = isRecord(progressDetail) ? progressDetail : {};
    this.#found().status(typeof id === 'string' ? `${id} ${status}` : status, {
      ...(typeof current === 'number' && { current }),
      ...(typeof total === 'number' && { total }),
      isComplete: !(typeof current === 'number'),
    });
  }

  end(outcome: Parameters<ImageOutput['end']>[0]): void {
    if ('error' in outcome) (this.#image ?? this.#search).complete({ error: describeFailure(outcome.error) });
    else this.#found().complete({ cached: outcome.wasStored });
  }

  #found(): JobVertex {
    this.#search.complete();
    this.#image ??= this.progress.vertex(this.name).start();
    return this.#image;
  }
}
