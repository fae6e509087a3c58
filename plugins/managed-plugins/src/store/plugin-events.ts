import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { nameOf, type PluginRecord } from './plugin-record.js';

/** Publishes plugin events. */
@injectable()
export class PluginEvents {
  constructor(@inject(EngineEvents) private readonly events: EngineEvents) {}

  publish(action: string, record: PluginRecord): void {
    const attributes = { name: nameOf(record) };
    this.events.publish({ type: 'plugin', action, actor: { id: record.id, attributes } });
  }
}
