export {
  type EngineEvent,
  EngineEvents,
  EventBus,
  type EventType,
  type NewEvent,
  type PastEvents,
  type ReadPast,
} from '../kernel/events.js';
export { definePlugin, type PluginContainer, type PluginContext, type PluginDefinition } from '../kernel/plugin.js';
export * from './driver.js';
