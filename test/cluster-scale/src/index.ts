export { type SwarmManager, startManager } from './manager/start-manager.js';
export { type Fleet, startFleet } from './nodes/start-fleet.js';
