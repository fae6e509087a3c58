import type { EngineEvents } from '@gantry/core/plugin';
import type { ContainerRecord } from '../record.js';

/** Says that something happened to a container, with its image, name and labels as attributes. */
export class ContainerEvents {
  constructor(private readonly bus: EngineEvents) {}

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
