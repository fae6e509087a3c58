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
import { sectionOf } from './sections.js';
import { nameOfPoint, type Unit } from './unit.js';

/** What a unit is given of the kernel, and the container it is constructed from. */
interface UnitContext {
  readonly context: PluginContext<never>;
  readonly container: OwnedContainer;
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

  async open(unit: Unit, lifetime: Lifetime, stopSignal: AbortSignal): Promise<UnitContext> {
    const config = this.config();
    const { points, events } = this;
    const own = {
      config: sectionOf(unit, config) as never,
      log: this.log.child(unit.kind === undefined ? { plugin: unit.name } : { driver: unit.name }),
      lifetime,
      dirs: await this.#directoriesOf(unit),
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
  async originOf(unit: Unit): Promise<DriverOrigin | undefined> {
    if (unit.source === undefined) return undefined;
    const config = this.config();
    return { ...unit.source, config: sectionOf(unit, config), dirs: await this.#directoriesOf(unit) };
  }

  #directoriesOf(unit: Unit): Promise<PackageDirectories> {
    const config = this.config();
    return makeDirectories(unit, config, this.userNamespaces.dataRootIn(config.dataRoot));
  }
}
