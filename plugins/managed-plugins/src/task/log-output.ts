import type { RuntimeDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';

/** Largest output in one log line, in bytes. */
const maxBytes = 4096;

/** Copies a plugin's output to the daemon's log until it exits. Never rejects. */
export async function logOutput(runtime: RuntimeDriver, taskId: string, name: string, log: Logger): Promise<void> {
  try {
    const streams = await runtime.io.attach(taskId);
    for await (const { bytes, stream } of streams.output) {
      const output = Buffer.from(bytes.subarray(0, maxBytes)).toString('utf8').trimEnd();
      if (output !== '') log.info({ event: 'plugin.output', external: name, stream, output }, 'plugin output');
    }
  } catch {
    // It exited before the attach; its exit is handled elsewhere.
  }
}
