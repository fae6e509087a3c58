import { readFileSync } from 'node:fs';
import test from 'ava';
import { errnoName, errnoNumber, errnoText, isErrno, LinuxError } from './linux-error.js';

test('an error says what failed, on what and why, as Node does', (t) => {
  const cause = new Error('deeper');
  const error = new LinuxError('ENOENT', 'mount', { path: '/a', detail: 'lowerdir /b', cause });
  t.is(error.message, "ENOENT: no such file or directory, mount '/a': lowerdir /b");
  t.like(error, { code: 'ENOENT', errno: 2, syscall: 'mount', path: '/a', detail: 'lowerdir /b', cause });
  t.is(new LinuxError(16, 'umount2').message, 'EBUSY: resource busy or locked, umount2');
});

test('numbers have names and words, also those Node has no use for', (t) => {
  t.is(errnoName(8), 'ENOEXEC');
  t.is(errnoText(8), 'exec format error');
  t.is(errnoNumber('EXDEV'), 18);
  t.is(errnoNumber('NONSENSE'), 0);
  t.is(errnoName(999), 'ERRNO999');
});

test('Node’s errors and ours are asked the same way', (t) => {
  const node = t.throws(() => readFileSync('/no/such/file'));
  t.true(isErrno(node, 'EACCES', 'ENOENT'));
  t.true(isErrno(new LinuxError('ENOENT', 'x'), 'ENOENT'));
  t.false(isErrno(node, 'EACCES'));
  t.false(isErrno('ENOENT', 'ENOENT'));
});
