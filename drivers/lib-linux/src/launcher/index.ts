export type {
  LaunchedProcess,
  Launcher,
  LaunchRequest,
  ProcessExit,
  RunOptions,
  RunResult,
  StreamedProcess,
  StreamOptions,
} from './launcher.js';
export { type PipeEnds, pipe, readableFrom, writableTo } from './pipe.js';
export { programDirectories, programPath } from './program-path.js';
export { SpawnLauncher } from './spawn-launcher.js';
