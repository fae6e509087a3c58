import { timed } from '../measurements.js';
import type { Scenario } from '../scenario.js';

export const ping: Scenario = {
  name: 'ping',
  rounds: 10,
  async run({ engine }) {
    const pings: number[] = [];
    for (let count = 0; count < 50; count += 1) await timed(pings, () => engine.bytes('GET', '/_ping'));
    return { 'ping ms': pings };
  },
};

/** Health checks of a monitoring system while containers start. */
export const pingUnderLoad: Scenario = {
  name: 'ping-under-load',
  rounds: 4,
  async run({ engine, containers }) {
    const pings: number[] = [];
    let isBusy = true;
    const load = async (): Promise<void> => {
      for (let count = 0; count < 6; count += 1) {
        const id = await containers.create({ Cmd: ['true'] });
        await containers.start(id);
        await containers.wait(id);
        await containers.remove(id);
      }
    };
    const working = Promise.all([load(), load()]).finally(() => {
      isBusy = false;
    });
    while (isBusy) await timed(pings, () => engine.bytes('GET', '/_ping'));
    await working;
    return { 'ping while containers start ms': pings };
  },
};
