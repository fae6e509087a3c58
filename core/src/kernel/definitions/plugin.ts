import type { Static, TSchema } from '@sinclair/typebox';
import type { EngineEvents } from '../events/event-bus.js';
import type { DriverLifecycle, OfflineCommand } from '../hooks/driver-lifecycle.js';
import type { PluginContainer } from '../injection/package-container.js';
import type { DriverPoint, ServicePoint } from '../points/driver-point.js';
import type { CallObserver } from '../points/observed-driver.js';
import type { Created, DriverContext } from './driver.js';

/** What the kernel lends a plugin: what a driver gets, the event bus, and a container that offers services. */
export interface PluginContext<C> extends DriverContext<C> {
  readonly events: EngineEvents;
  readonly container: PluginContainer;
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
  /** Kinds this plugin adds drivers to while it runs: packages that require one of them start after it. */
  readonly joins?: readonly DriverPoint<unknown>[];
  readonly configSchema: S;
  /** Commands of `gantryd NAME`, by name, for when no daemon answers them; `commands` of the hooks are those of a daemon. */
  readonly offlineCommands?: Readonly<Record<string, OfflineCommand>>;
  /**
   * Makes what sees the calls of drivers' methods, before anything starts; one package of a kernel may have it. Without it
   * no call costs more.
   */
  observer?(config: Static<S>): CallObserver;
  /**
   * Registers the package's classes, services and routes. May return hooks for start, stop and changed configuration,
   * or a class of such hooks for the kernel to construct with its dependencies injected.
   */
  setup(
    context: PluginContext<Static<S>>,
  ):
    | Promise<Created<DriverLifecycle<Static<S>>> | undefined>
    | Created<DriverLifecycle<Static<S>>>
    | undefined
    | Promise<void>
    | void;
}

/** The default export of a plugin package. Only declares: importing it has no effect. */
export function definePlugin<S extends TSchema>(definition: PluginDefinition<S>): PluginDefinition<S> {
  return definition;
}
