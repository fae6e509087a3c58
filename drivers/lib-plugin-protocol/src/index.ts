export { activate, type Protocol, protocolOfType, protocols } from './activate.js';
export {
  type AuthorizationRequest,
  type AuthorizationResponse,
  RemoteAuthorization,
  type Verdict,
} from './authorization.js';
export type { PluginAddress } from './client/plugin-address.js';
export type { PluginAnswer } from './client/plugin-answer.js';
export { type CallOptions, PluginClient, type PluginClientOptions } from './client/plugin-client.js';
export { RemoteIpam } from './ipam/remote-ipam.js';
export { RemoteLogs } from './log/remote-logs.js';
export type { FifoPlace } from './log/remote-sink.js';
export type { JoinAnswer } from './network/join-answer.js';
export type { InterfacePlacement } from './network/place-interface.js';
export { RemoteNetworks } from './network/remote-networks.js';
export { confinedPaths, hostPaths, type PluginPaths } from './volume/plugin-paths.js';
export { RemoteVolumes } from './volume/remote-volumes.js';
export { shareDirectory, unshareDirectory } from './volume/shared-directory.js';
