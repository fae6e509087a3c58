import { serveCommands } from '../../processes/serve-commands.js';
import { ChangingFleet } from './changing-fleet.js';

// The process of the simulated nodes, in the directory that it is given.
await serveCommands(new ChangingFleet(process.argv[2] ?? ''));
