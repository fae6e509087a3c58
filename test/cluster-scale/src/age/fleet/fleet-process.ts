import { fileURLToPath } from 'node:url';
import type { Scope } from '@gantry/test-nodes';
import { CommandProcess } from '../../processes/command-process.js';
import type { FleetCommands } from './fleet-commands.js';

const program = fileURLToPath(new URL('fleet-main.js', import.meta.url));

/** The process of the simulated nodes. */
export type FleetProcess = CommandProcess<FleetCommands>;

/** @param within a program that runs its arguments in the namespace with the network of the nodes. */
export const startFleetProcess = (t: Scope, within: readonly string[]): Promise<FleetProcess> =>
  CommandProcess.start<FleetCommands>(t, { program, within });
