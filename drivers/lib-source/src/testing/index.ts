export { type Authority, createAuthority } from './authority.js';
export { RecordingLauncher } from './recording-launcher.js';
export { commitsOf, contextIn, filesOf, git, run, scratchFor } from './scratch.js';
export { forwardTo, gitBackend, serveHttp, serveHttps, serveProgram, withPassword } from './servers.js';
export { convertedRepositories, sessionsWith } from './sessions-with.js';
export { trustTest } from './trust-test.js';
