export { type FaultsRequest, runFaults } from './run-faults.js';
