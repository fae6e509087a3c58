export { AppendRegister, contradictions, type Update } from './testing/append-register.js';
export { Application } from './testing/application.js';
export { filesBelow, hostState } from './testing/host-state.js';
export { archiveOf, buildArchive, imageArchive, imageOf, rootArchive } from './testing/image-archive.js';
export { OrdinaryUser } from './testing/ordinary-user.js';
export { pushExamplePlugin } from './testing/push-example-plugin.js';
export { runIn, startContainer } from './testing/run-in.js';
export { firstId, startRemapped } from './testing/start-remapped.js';
export { startStubRegistry } from './testing/stub-registry.js';
