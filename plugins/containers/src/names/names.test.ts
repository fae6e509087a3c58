import test from 'ava';
import { parseStorageSize } from '../configuration/parse-storage-size.js';
import { parseSignal } from '../signals.js';
import { PrefixIndex } from '../store/prefix-index.js';
import { checkName } from './check-name.js';
import { generateName } from './generate-name.js';

test('names may begin with anything of their characters but a dot', (t) => {
  for (const name of ['a', '_a', '-a', 'A_b-9', 'web.1.task']) t.is(checkName(`/${name}`), name);
  for (const name of ['', '/', '.a', 'a b', 'a/b', '//a', 'a:b', 'é', 'a$']) {
    t.throws(() => checkName(name), { message: /^Invalid container name \(.*\), only / });
  }
});

test('a generated name is an adjective and a surname, and not in use', (t) => {
  t.regex(
    generateName(() => false),
    /^[a-z]+_[a-z]+$/,
  );
  let asked = 0;
  t.regex(
    generateName(() => ++asked < 8),
    /^[a-z]+_[a-z]+\d+$/,
  );
});

test('a prefix finds its one key, and reports when there are several', (t) => {
  const index = new PrefixIndex();
  for (const key of ['b1', 'a1', 'b2', 'a1']) index.add(key);
  t.is(index.find('a'), 'a1');
  t.is(index.find('b'), 'ambiguous');
  t.is(index.find('b2'), 'b2');
  t.is(index.find('c'), undefined);
  index.delete('b1');
  index.delete('nosuch');
  t.is(index.find('b'), 'b2');
  t.is(index.find(''), 'ambiguous');
});

test('signals are names with or without SIG, and numbers', (t) => {
  t.deepEqual(['USR1', 'SIGUSR1', 'sigusr1', '10'].map(parseSignal), [10, 10, 10, 10]);
  t.deepEqual(['KILL', 'RTMIN', 'RTMIN+3', 'RTMAX', 'SIGRTMAX-1', '64'].map(parseSignal), [9, 34, 37, 64, 63, 64]);
  t.is(parseSignal(15), 15);
  for (const text of ['NOSUCH', '', '0', '65', '-9', '9x']) {
    t.throws(() => parseSignal(text), { message: `Invalid signal: ${text}` });
  }
});

test('sizes of writable layers have units', (t) => {
  t.is(parseStorageSize(), undefined);
  t.is(parseStorageSize({ size: '10G' }), 10 * 2 ** 30);
  t.is(parseStorageSize({ size: '512mb' }), 512 * 2 ** 20);
  t.throws(() => parseStorageSize({ size: 'big' }), { message: /"big" is not a size/ });
  t.throws(() => parseStorageSize({ inodes: '1' }), { message: /unknown option inodes/ });
});
