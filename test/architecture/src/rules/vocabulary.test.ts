import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { wordsAreOfTheField } from './vocabulary.js';

const breaches = (line: string): readonly string[] => wordsAreOfTheField.check(treeOf({ 'docs/x.md': line }));

for (const line of [
  'who waits is told at once',
  'nobody else holds it',
  'it gives the name back',
  'letImageGo(id);',
  'const leftovers = [];',
  'the engine has come to rest',
]) {
  test(`"${line}" is a breach`, (t) => {
    t.true(breaches(line).length > 0);
  });
}

test('a breach names the word and what to write', (t) => {
  t.deepEqual(breaches('a door'), ['docs/x.md:1: "door": write interface, contract or entry point']);
});

test('plain sentences and the Unix user pass', (t) => {
  t.deepEqual(breaches("the daemon notifies the client; User: 'nobody', nobody:x:65534"), []);
});
