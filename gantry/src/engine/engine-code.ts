/** What an engine is made of; an entry of the bundle, too. The packages find the same modules from there. */
export { Kernel } from '@gantry/core';
export { supplyCore } from '@gantry/core/daemon';
export { EngineApi, LocalConnections } from '@gantry/engine-api/service';
