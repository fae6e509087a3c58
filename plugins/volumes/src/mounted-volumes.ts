import { type DriverUse, injectable } from '@gantry/core/driver';

/** Which containers have which volumes mounted, also when the driver of a volume is gone. */
@injectable()
export class MountedVolumes {
  /** Drivers and containers, by the volume's name. */
  readonly #mounted = new Map<string, { readonly driver: string; readonly containers: Set<string> }>();

  add(volume: string, driver: string, containerId: string): void {
    const mounted = this.#mounted.get(volume) ?? { driver, containers: new Set() };
    mounted.containers.add(containerId);
    this.#mounted.set(volume, mounted);
  }

  delete(volume: string, containerId: string): void {
    const mounted = this.#mounted.get(volume);
    mounted?.containers.delete(containerId);
    if (mounted?.containers.size === 0) this.#mounted.delete(volume);
  }

  /** What is mounted of a driver. */
  of(driver: string): readonly { readonly volume: string; readonly containerId: string }[] {
    return [...this.#mounted].flatMap(([volume, mounted]) =>
      mounted.driver === driver ? [...mounted.containers].map((containerId) => ({ volume, containerId })) : [],
    );
  }

  driversInUse(): readonly DriverUse[] {
    return [...this.#mounted].flatMap(([volume, { containers, driver }]) =>
      [...containers].map((id) => ({ driver: `volume/${driver}`, user: `volume ${volume} of container ${id}` })),
    );
  }
}
