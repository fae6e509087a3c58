export { type Daemon, type DaemonOptions, type Scope, startDaemon } from './testing/daemon.js';
export { eventually } from './testing/eventually.js';
export { filesBelow, hostState } from './testing/host-state.js';
export { buildArchive, imageArchive, rootArchive } from './testing/image-archive.js';
export { pushExamplePlugin } from './testing/push-example-plugin.js';
export { loseEverything } from './testing/reboot.js';
export { runIn, startContainer } from './testing/run-in.js';
export { startStubRegistry } from './testing/stub-registry.js';
