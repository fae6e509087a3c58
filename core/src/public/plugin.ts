export { definePlugin, type PluginContext, type PluginDefinition } from '../kernel/definitions/plugin.js';
export {
  type EngineEvent,
  EngineEvents,
  EventBus,
  type EventType,
  type NewEvent,
  type PastEvents,
  type ReadPast,
} from '../kernel/events/event-bus.js';
export { type Pruned, type Pruning, prune } from '../kernel/events/prune.js';
export type { PluginContainer } from '../kernel/injection/package-container.js';
export type { CallObserver, ObservedCall } from '../kernel/points/observed-driver.js';
export * from './driver.js';
