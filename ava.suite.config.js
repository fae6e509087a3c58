import config from './ava.config.js';
import { groupTestFiles } from './scripts/test-groups.mjs';

/** They need minutes: nothing is to wait for them at the end. */
const longest = ['emulated-host/dist/short-form.test.js', 'published-packages/dist/published-packages.test.js'];
const rank = (path) => longest.findIndex((name) => path.endsWith(name)) >>> 0;

/** What `npm test` runs: the tests of `ava.config.js`, many of them in shared processes. */
export default {
  ...config,
  files: groupTestFiles(config.files),
  sortTestFiles: (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
};
