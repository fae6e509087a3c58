import { EngineEvents, inject, injectable } from '@gantry/core/plugin';
import { ImageExchange } from '@gantry/images/service';

/** Publishes pulls and pushes. */
@injectable()
export class ImageEvents {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /** The actor is the image's name with its tag, as clients expect. */
  publish(action: 'pull' | 'push', imageId: string, reference: string, repository: string): void {
    const labels = labelsOf(this.exchange, imageId);
    const actor = { id: reference, attributes: { ...labels, name: repository } };
    this.events.publish({ type: 'image', action, actor });
  }
}

function labelsOf(exchange: ImageExchange, imageId: string): Readonly<Record<string, string>> {
  try {
    const { configuration } = exchange.content(imageId);
    return (JSON.parse(configuration) as { config?: { Labels?: Record<string, string> } }).config?.Labels ?? {};
  } catch {
    // Removed in between: it came, all the same.
    return {};
  }
}
