import { conflict } from '@gantry/core/errors';
import type { Host } from './host.js';
import { mark } from './unit-files.js';

/** One thing that has to be so on the host. */
export interface Step {
  /** In the imperative. */
  readonly what: string;
  isDone(): Promise<boolean>;
  carryOut(): Promise<void>;
}

/**
 * A file with this text.
 * @throws EngineError `conflict`, from `isDone`, when someone else wrote the one that is there.
 */
export const fileStep = (host: Host, file: string, text: string): Step => ({
  what: `write ${file}`,
  isDone: async () => {
    const present = await host.read(file);
    if (present !== undefined && !present.startsWith(mark)) {
      throw conflict(`${file} is there already, and "gantryd install" has not written it: move it away first`);
    }
    return present === text;
  },
  carryOut: () => host.write(file, text),
});

/** No such file. What someone else wrote stays. */
export const fileRemoval = (host: Host, file: string): Step => ({
  what: `remove ${file}`,
  isDone: async () => !(await host.read(file))?.startsWith(mark),
  carryOut: () => host.remove(file),
});
