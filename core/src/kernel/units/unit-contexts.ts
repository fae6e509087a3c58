import { EngineError } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { PackageDirectories } from '../definitions/driver.js';
import type { PluginContext } from '../definitions/plugin.js';
import { EngineEvents, type EventBus } from '../events/event-bus.js';
import type { OwnedContainer } from '../injection/package-container.js';
import type { Lifetime } from '../lifetime/lifetime.js';
import type { Logger } from '../logging/logger.js';
import type { DriverOrigin } from '../points/driver-point.js';
import type { UserNamespaces } from '../user-namespaces/user-namespaces.js';
import { makeDirectories } from './make-directories.js';
import { openContainer } from './open-container.js';
import type { Points } from './points.js';
import { nameOfPoint, type Unit } from './unit.js';

/** What a unit is given of the kernel, and the container it is constructed from. */
interface UnitContext {
  readonly context: PluginContext<never>;
  readonly container: OwnedContainer;
}

export interface OpenOptions {
  /** The unit's part of the configuration, parsed. */
  readonly section: unknown;
  readonly lifetime: Lifetime;
  readonly stopSignal: AbortSignal;
  /** Other directories than the unit's own. */
  readonly dirs?: PackageDirectories;
}

/** Gives each unit its section, and of the other units only what it has declared. */
export class UnitContexts {
  constructor(
    private readonly config: () => KernelConfig,
    private readonly points: Points,
    private readonly events: EventBus,
    private readonly log: Logger,
    private readonly userNamespaces: UserNamespaces,
  ) {}

  async open(unit: Unit, { section, lifetime, stopSignal, dirs }: OpenOptions): Promise<UnitContext> {
    const { points, events } = this;
    const own = {
      config: section as never,
      log: this.log.child(unit.kind === undefined ? { plugin: unit.name } : { driver: unit.name }),
      lifetime,
      dirs: dirs ?? (await this.#directoriesOf(unit)),
    };
    const container = openContainer(
      points.root,
      { ...own, stopSignal, idMappings: this.userNamespaces.mappings },
      [...unit.requires, ...unit.joins],
      points,
    );
    container.onProvide = (point) => {
      if (unit.provides.some((offered) => offered.token === point.token)) return;
      throw new EngineError('internal', `${unit.name} offers ${nameOfPoint(point)} without declaring it`);
    };
    container.registerValue(EngineEvents, events);
    for (const point of unit.after) {
      container.registerFactory(point.token, [], () => (points.has(point) ? points.service(point) : undefined));
    }
    return { context: { ...own, events, container }, container };
  }

  /** What it takes to make a unit's driver again; undefined of one that a program brought along. */
  async originOf(unit: Unit, section: unknown): Promise<DriverOrigin | undefined> {
    if (unit.source === undefined) return undefined;
    return { ...unit.source, config: section, dirs: await this.#directoriesOf(unit) };
  }

  #directoriesOf(unit: Unit): Promise<PackageDirectories> {
    const config = this.config();
    return makeDirectories(unit, config, this.userNamespaces.dataRootIn(config.dataRoot));
  }
}
