import type { RuntimeDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';

/** Most bytes of a piece of output in one entry. */
const longest = 4096;

/** Puts what a plugin writes into the daemon's log, until it ends. Never rejects. */
export async function logOutput(runtime: RuntimeDriver, taskId: string, name: string, log: Logger): Promise<void> {
  try {
    const streams = await runtime.attach(taskId);
    for await (const { bytes, stream } of streams.output) {
      const output = Buffer.from(bytes.subarray(0, longest)).toString('utf8').trimEnd();
      if (output !== '') log.info({ event: 'plugin.output', external: name, stream, output }, 'a plugin says');
    }
  } catch {
    // It ended before anybody listened, or another daemon listens.
  }
}
