export { launch } from './launch.js';
export { requiredPrograms } from './requirements.js';
export { rangesOf } from './subordinate-ids.js';
export { useOwnPaths } from './use-own-paths.js';
