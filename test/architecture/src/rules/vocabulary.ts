import type { Rule } from '../rule.js';

/** Words that the project does not use, each with what to write. They hold for names, comments, messages and texts. The Unix user `nobody:` is none of them. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(un)?told\b|\btell(s|ing)?\b|untold|toldA|[a-z]Told\b|\btell[A-Z]/i, 'notify, publish, report or log'],
  [
    /\b(nobody(?![':])|somebody|anybody|everybody|whoever|whomever)\b/i,
    'name the client, the caller, the operator or the process',
  ],
  [/\b(give|gives|gave|given|giving)( \w+){0,2} back\b|giv(e|en|ing)[A-Z]?\w*Back/i, 'release or roll back'],
  [/\b(let|lets|letting)( \w+)? go\b|letGo|let[A-Z]\w*Go\b/i, 'release or close'],
  [/\bstrangers?\b/i, 'orphan, or name what it is'],
  [/\b(lives of|a life of|bare ones)\b/i, 'container lifecycle'],
  [/\bdoors?\b/i, 'interface, contract or entry point'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, repair or correct'],
  [/\b(at|to) rest\b|\brest(Watch|ing)\b/i, 'idle'],
  [/\bleft ?overs?\b|leftover/i, 'orphan, leak or remainder'],
  [/\b(take|takes|took|taken|taking)( \w+){0,2} away\b|tak(e|es)Away/i, 'delete, remove, unmount or clean up'],
  [/\btid(y|ies|ied)\b/i, 'clean up'],
  [/\bseams?\b|caughtUpOrStill|untilStill/i, 'replay, follow or cutover'],
  [/\blanes?\b|[a-z]Lanes?\b/i, 'semaphore or concurrency limit'],
  [/\bworkshops?\b/i, 'sandboxed worker'],
  [/\b(last|final) words\b|lastWords/i, 'final output or exit status'],
  [/\bdeal(t|s|ing)? with\b/i, 'process or handle'],
  [/\btroubles?\b/i, 'failure or error'],
  [/\btest-?bench\b/i, 'harness or fixture'],
  [/\bwho (is|has|was|comes|came|asks|waits|wants|holds|sees|needs|goes|knows|does|can|may|had)\b/, 'name the subject'],
  [/\bpatience\b/i, 'timeout'],
];

const ownFile = /^test\/architecture\/src\/rules\/vocabulary(\.test)?\.ts$/;

export const wordsAreOfTheField: Rule = {
  title: 'names, comments and messages use the terms of the field',
  check: ({ files }) =>
    [...files]
      .filter(([path]) => !ownFile.test(path) && !/package-lock\.json$|LICENSE$/.test(path))
      .flatMap(([path, text]) =>
        text.split('\n').flatMap((line, index) =>
          banned.flatMap(([pattern, advice]) => {
            const word = pattern.exec(line)?.[0];
            return word === undefined ? [] : [`${path}:${index + 1}: "${word}": write ${advice}`];
          }),
        ),
      ),
};
