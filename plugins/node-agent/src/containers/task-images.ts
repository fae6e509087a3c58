import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { ImageExchange, ImageService } from '@gantry/images/service';
import type { AgentSession, AssignedTask } from '@gantry/services/service';

/** Pulls the images of tasks that are not stored yet, with the credentials of their services. */
@injectable()
export class TaskImages {
  constructor(
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'get'>,
    @inject(ImageExchange.token) private readonly exchange: Pick<ImageExchange, 'pull'>,
  ) {}

  /** Rejects `not-found` when neither this node nor the registry has it. */
  async ensure(task: AssignedTask, session: AgentSession): Promise<void> {
    const { Image: reference = '' } = task.spec.ContainerSpec ?? {};
    if (this.#isStored(reference)) return;
    const credentials = await session.credentialsOf(task);
    const request = { reference, ...(credentials !== undefined && { credentials }) };
    await this.exchange.pull(request, { signal: session.signal });
  }

  #isStored(reference: string): boolean {
    try {
      this.images.get(reference);
      return true;
    } catch (error) {
      if (kindOf(error) === 'not-found') return false;
      throw error;
    }
  }
}
