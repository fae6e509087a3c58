export { readDistribution } from './read-distribution.js';
