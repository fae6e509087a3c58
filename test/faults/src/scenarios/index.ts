export { allScenarios } from './all.js';
