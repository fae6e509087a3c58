import test from 'ava';
import { parseGroup, parsePasswd, selectUser } from './resolve-user.js';

const passwd = parsePasswd('root:x:0:0:root:/root:/bin/sh\nann:x:1000:100::/people/ann:/bin/sh\nbroken\nx:y\n');
const groups = parseGroup('root:x:0:\nusers:x:100:\nwheel:x:10:ann,bob\naudio:x:29:\n');
const select = (text: string, add: readonly string[] = []) => selectUser(text, add, passwd, groups);

test('no user is root', (t) => {
  t.deepEqual(select(''), { uid: 0, gid: 0, additionalGids: [0], home: '/root' });
});

test('a name brings its group and the groups that list it', (t) => {
  t.deepEqual(select('ann'), { uid: 1000, gid: 100, additionalGids: [100, 10], home: '/people/ann' });
});

test('a number that passwd knows brings the same', (t) => {
  t.deepEqual(select('1000'), select('ann'));
});

test('an unknown number stands for itself', (t) => {
  t.deepEqual(select('1234'), { uid: 1234, gid: 0, additionalGids: [0], home: undefined });
});

test('an explicit group replaces the listed ones', (t) => {
  t.like(select('ann:audio'), { uid: 1000, gid: 29, additionalGids: [29] });
  t.like(select('12:34'), { uid: 12, gid: 34 });
});

test('GroupAdd takes names and numbers', (t) => {
  t.deepEqual(select('12:34', ['audio', '777']).additionalGids, [34, 29, 777]);
});

test('an unknown user or group is named', (t) => {
  t.throws(() => select('eve'), { message: 'unable to find user eve: no matching entries in passwd file' });
  t.throws(() => select('ann:eve'), { message: 'unable to find group eve: no matching entries in group file' });
  t.throws(() => select('ann', ['eve']), { message: /GroupAdd: unable to find group eve/ });
});

test("an id beyond the kernel's is no id", (t) => {
  t.throws(() => select('99999999999'), { message: /unable to find user/ });
});
