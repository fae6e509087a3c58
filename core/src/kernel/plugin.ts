import type { Static, TSchema } from '@sinclair/typebox';
import type { DriverContext, DriverLifecycle } from './driver.js';
import type { DriverPoint, ServicePoint } from './driver-point.js';
import type { EngineEvents } from './events.js';

/** What the kernel lends a plugin: what a driver gets, the event bus, and a way to offer services. */
export interface PluginContext<C> extends DriverContext<C> {
  readonly events: EngineEvents;
  /** Offers a service the definition lists in `provides`. At most once each, during `setup`. */
  provide<T>(point: ServicePoint<T>, service: T): void;
  /** A service the definition lists in `after`; undefined where no package provides it. */
  optional<T>(point: ServicePoint<T>): T | undefined;
}

export interface PluginDefinition<S extends TSchema = TSchema> {
  /** `[a-z][a-z0-9-]*`; equals the manifest's id. */
  readonly id: string;
  /** Services this plugin offers. */
  readonly provides?: readonly ServicePoint<unknown>[];
  /** Kinds and services that must be ready before. */
  readonly requires?: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[];
  /** Services whose provider, if there is one, is to be ready before. */
  readonly after?: readonly ServicePoint<unknown>[];
  /** Kinds this plugin adds drivers to while it runs: whoever requires one of them starts after it. */
  readonly joins?: readonly DriverPoint<unknown>[];
  readonly configSchema: S;
  /** Makes services and adds routes. May return hooks for start, stop and changed configuration. */
  setup(
    context: PluginContext<Static<S>>,
  ): Promise<DriverLifecycle<Static<S>> | undefined> | DriverLifecycle<Static<S>> | undefined | Promise<void> | void;
}

/** The default export of a plugin package. Only declares: importing it has no effect. */
export function definePlugin<S extends TSchema>(definition: PluginDefinition<S>): PluginDefinition<S> {
  return definition;
}
