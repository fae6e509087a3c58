import test from 'ava';
import { checkArguments, parseProcessTable } from './process-table.js';

test('the last column takes the blanks, and processes of others are left out', (t) => {
  const output = 'UID   PID CMD\nroot   12 sh -c  sleep 1\nmail   13 other\nroot  112 sleep 1\n';
  t.deepEqual(parseProcessTable(output, new Set([12, 112])), {
    titles: ['UID', 'PID', 'CMD'],
    processes: [
      ['root', '12', 'sh -c sleep 1'],
      ['root', '112', 'sleep 1'],
    ],
  });
});

test('a thread belongs to the process before it', (t) => {
  const output = ' PID LWP CMD\n 12 - sh\n - 12 -\n 13 - other\n - 13 -\n';
  t.deepEqual(parseProcessTable(output, new Set([12])).processes, [
    ['12', '-', 'sh'],
    ['-', '12', '-'],
  ]);
});

test('process ids must be listed, and be numbers', (t) => {
  t.throws(() => parseProcessTable('CMD\nsh\n', new Set()), { message: /Couldn't find PID field/ });
  t.throws(() => parseProcessTable('', new Set()), { message: /Couldn't find PID field/ });
  t.throws(() => parseProcessTable('PID\nx1\n', new Set()), { message: "Unexpected pid 'x1' in ps output" });
});

test('no other column can be made to look like the process ids', (t) => {
  t.throws(() => checkArguments(['-o', 'ppid=PID,comm']), { message: 'specifying "ppid=PID,comm" is not allowed' });
  t.throws(() => checkArguments(['-opid,uid=PIDS']), { message: /not allowed/ });
  t.notThrows(() => checkArguments(['-ef']));
  t.notThrows(() => checkArguments(['-o', 'pid=PID,comm=PROGRAM']));
});
