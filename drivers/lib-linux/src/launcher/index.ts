export {
  type LaunchedProcess,
  Launcher,
  type LaunchRequest,
  type ProcessExit,
  type RunOptions,
  type RunResult,
  type StreamedProcess,
  type StreamOptions,
} from './launcher.js';
export { type PipeEnds, pipe, readableFrom, writableTo } from './pipe.js';
export { programPath } from './program-path.js';
export { type SealedProgram, sealedProgram } from './sealed-program.js';
export { SpawnLauncher } from './spawn-launcher.js';
