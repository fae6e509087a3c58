export { launch } from './launch.js';
