import type { Answer, Request } from './commands.js';

type Served = Record<string, (argument: unknown) => Promise<unknown>> & { stop(): Promise<void> };

/**
 * Does what the parent process asks, and ends with it.
 * @param served has the commands as methods, and `stop`, which comes before the end.
 */
export async function serveCommands(served: { stop(): Promise<void> }): Promise<void> {
  process.on('message', async ({ argument, command, number }: Request) => {
    const answer = await (served as Served)[command]?.(argument).then(
      (result): Answer => ({ number, result }),
      (error: Error): Answer => ({ number, error: error.stack ?? String(error) }),
    );
    process.send?.(answer);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the parent ends it
  const end = async (): Promise<void> => {
    await served.stop();
    process.exit();
  };
  if (process.connected) process.on('disconnect', end);
  else await end(); // it ended while this process was starting
}
