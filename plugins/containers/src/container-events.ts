import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import type { ContainerRecord } from './record.js';

/** Publishes events of containers, with image, name and labels as attributes. */
@injectable()
export class ContainerEvents {
  constructor(@inject(EngineEvents) private readonly bus: EngineEvents) {}

  publish(record: ContainerRecord, action: string, attributes: Readonly<Record<string, string>> = {}): void {
    this.bus.publish({
      type: 'container',
      action,
      actor: {
        id: record.id,
        attributes: { ...record.config.Labels, image: record.imageName, name: record.name, ...attributes },
      },
      from: record.imageName,
    });
  }
}
