import { ChangingFleet } from './changing-fleet.js';
import type { FleetAnswer, FleetRequest } from './fleet-commands.js';

// The process of the simulated nodes, in the directory that it is given: it does what its parent asks, and ends with it.
const fleet = new ChangingFleet(process.argv[2] ?? '');

process.on('message', async ({ argument, command, number }: FleetRequest) => {
  const answer = await fleet[command](argument as never).then(
    (result): FleetAnswer => ({ number, result }),
    (error: Error): FleetAnswer => ({ number, error: error.stack ?? String(error) }),
  );
  process.send?.(answer);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the parent ends it
const end = async (): Promise<void> => {
  await fleet.stop();
  process.exit();
};
if (process.connected) process.on('disconnect', end);
else await end(); // it ended while this process was starting
