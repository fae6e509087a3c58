import type { EngineEvents } from '@gantry/core/plugin';
import type { ImageExchange } from '@gantry/images/service';

/** Publishes a pull or a push: the actor is the image's name with its tag, as clients expect. */
export function publishImageEvent(
  { events, exchange }: { readonly events: EngineEvents; readonly exchange: ImageExchange },
  action: 'pull' | 'push',
  imageId: string,
  reference: string,
  repository: string,
): void {
  const labels = labelsOf(exchange, imageId);
  events.publish({ type: 'image', action, actor: { id: reference, attributes: { ...labels, name: repository } } });
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
