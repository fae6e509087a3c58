import test from 'ava';
import { EngineError } from '../errors/engine-error.js';
import { DetachScanner, parseDetachKeys } from './detach-keys.js';

const scan = (keys: string, ...chunks: string[]): [forward: string, detached: boolean][] => {
  const scanner = new DetachScanner(parseDetachKeys(keys));
  return chunks.map((chunk) => {
    const { forward, detached } = scanner.push(Buffer.from(chunk, 'latin1'));
    return [Buffer.from(forward).toString('latin1'), detached];
  });
};

test('single characters and control keys are read in order', (t) => {
  t.deepEqual(parseDetachKeys('a,ctrl-x,Z,ctrl-@,ctrl-[,ctrl-^,ctrl-_'), [97, 24, 90, 0, 27, 30, 31]);
});

test('a comma can be meant as ctrl-,', (t) => {
  t.deepEqual(parseDetachKeys('ctrl-,'), [12]);
  t.deepEqual(parseDetachKeys('ctrl-,,b'), [12, 98]);
});

test('no keys are the default keys', (t) => {
  t.deepEqual(parseDetachKeys(undefined), [16, 17]);
  t.deepEqual(parseDetachKeys(''), [16, 17]);
});

for (const text of ['nosuch-key', 'ctrl-', 'ctrl-1', 'ctrl-A', 'a,,b', ',a', 'a,', ',', ' ', 'é', 'a b']) {
  test(`"${text}" is refused by name`, (t) => {
    const error = t.throws(() => parseDetachKeys(text));
    t.true(EngineError.is(error) && error.kind === 'invalid-argument');
    t.true(error?.message.startsWith(`detachKeys: "${text}" is not a list of keys`));
  });
}

test('input without the keys is forwarded as it is', (t) => {
  const chunk = Buffer.from('ls -l\n');
  t.is(new DetachScanner().push(chunk).forward, chunk);
});

test('the sequence detaches and what follows is dropped', (t) => {
  t.deepEqual(scan('ctrl-p,ctrl-q', 'ab\x10\x11cd', 'more'), [
    ['ab', true],
    ['', true],
  ]);
});

test('a partial match is held back across chunks and replayed when it fails', (t) => {
  t.deepEqual(scan('ctrl-p,ctrl-q', 'a\x10', 'b\x10', '\x11'), [
    ['a', false],
    ['\x10b', false],
    ['', true],
  ]);
});

test('a failed match that contains the beginning of another is not lost', (t) => {
  t.deepEqual(scan('a,a,b', 'aaab'), [['a', true]]);
  t.deepEqual(scan('ctrl-p,ctrl-q', '\x10', '\x10', '\x11'), [
    ['', false],
    ['\x10', false],
    ['', true],
  ]);
  t.deepEqual(scan('a,b,a,c', 'ababac'), [['ab', true]]);
});

test('one key is enough', (t) => {
  t.deepEqual(scan('ctrl-a', 'x\n', '\x01'), [
    ['x\n', false],
    ['', true],
  ]);
});

test('what is held back comes out at the end of the input', (t) => {
  const scanner = new DetachScanner();
  scanner.push(Buffer.from('\x10'));
  t.deepEqual([...scanner.flush()], [16]);
  t.deepEqual([...scanner.flush()], []);
});
