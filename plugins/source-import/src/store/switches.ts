import type { Collection, StateDriver } from '@gantry/core/contracts';
import { type SwitchRecord, switchCollection } from './records.js';

/** What the operator switches on and off while the daemon runs; stays over its restarts. */
export class Switches {
  readonly #records: Collection<SwitchRecord>;

  constructor(state: StateDriver) {
    this.#records = state.collection(switchCollection);
  }

  isOn(name: string): boolean {
    return this.#records.get(name)?.on === true;
  }

  async turn(name: string, on: boolean): Promise<void> {
    await this.#records.put(name, { on });
  }
}
