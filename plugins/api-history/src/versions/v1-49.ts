import { all, at, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

/** The revision that was found was compared with the one that was expected. */
const expected = ofObject((commit) => ({ ...commit, Expected: commit.ID }));

/** What clients before 1.49 see. */
export default step('1.49', {
  'GET /images/*name/json': { query: (query) => query.set('platform', []) },
  'GET /info': {
    answer: all(
      remove('FirewallBackend'),
      at('ContainerdCommit', expected),
      at('RuncCommit', expected),
      at('InitCommit', expected),
    ),
  },
});
