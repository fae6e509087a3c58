export { Fleet } from './fleet/fleet.js';
export { type SwarmManager, startManager } from './manager/start-manager.js';
