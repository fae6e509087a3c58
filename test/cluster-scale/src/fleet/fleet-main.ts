import { serveCommands } from '../processes/serve-commands.js';
import { FleetPart } from './fleet-part.js';

// A process of simulated nodes, in the directory that it is given.
await serveCommands(new FleetPart(process.argv[2] ?? ''));
