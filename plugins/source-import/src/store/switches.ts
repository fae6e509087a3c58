import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type SwitchRecord, switchCollection } from './records.js';

/** Switches of the operator, kept over restarts. */
@injectable()
export class Switches {
  readonly #records: Collection<SwitchRecord>;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#records = states.get().collection(switchCollection);
  }

  isOn(name: string): boolean {
    return this.#records.get(name)?.on === true;
  }

  async turn(name: string, on: boolean): Promise<void> {
    await this.#records.put(name, { on });
  }
}
