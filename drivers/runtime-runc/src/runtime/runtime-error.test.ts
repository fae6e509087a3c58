import test from 'ava';
import { reasonInLog, reasonOf, taskStartError } from './runtime-error.js';

const runcLine = (message: string): string =>
  `time="2024-05-01T10:00:00Z" level=error msg=${JSON.stringify(message)}\n`;

test('the reason is what a runtime says in its last error line', (t) => {
  const warning = 'time="2024-05-01T10:00:00Z" level=warning msg="something else"\n';
  t.is(reasonOf(`${warning}${runcLine('it "broke"\n badly')}`), 'it "broke"\n badly');
  t.is(reasonOf('cannot do it: No such file or directory\n'), 'cannot do it: No such file or directory');
  t.is(reasonOf('one\n\ntwo\n'), 'one: two');
  t.is(reasonOf(''), '');
});

test('the reason in a log is that of its last error', (t) => {
  const entry = (level: string, msg: string): string =>
    `${JSON.stringify({ msg, level, time: '2024-05-01T10:00:00Z' })}\n`;
  const log = entry('error', 'first') + entry('error', 'it "broke"') + entry('warning', 'something else');
  t.is(reasonInLog(`${log}{"msg":"cut o`), 'it "broke"');
  t.is(reasonInLog(''), '');
});

for (const [printed, program, exitCode] of [
  [runcLine('exec: "nosuch": executable file not found in $PATH'), 'nosuch', 127],
  [runcLine('exec: "/no/such": stat /no/such: no such file or directory'), '/no/such', 127],
  ['executable file `nosuch` not found in $PATH: No such file or directory\n', 'nosuch', 127],
  [runcLine('exec: "/etc": permission denied'), '/etc', 126],
  ['open executable: Permission denied\n', '/x', 126],
  [runcLine('error mounting "/a" to rootfs at "/b": no such file or directory'), 'true', 128],
  [runcLine('unable to apply caps: operation not permitted'), 'true', 128],
  ['', 'true', 128],
] as const) {
  test(`the exit code for ${JSON.stringify(reasonOf(printed))} is ${exitCode}`, (t) => {
    t.is(taskStartError('create', printed, program).exitCode, exitCode);
  });
}

test('the message is worded as clients know it', (t) => {
  const error = taskStartError('create', runcLine('runc create failed: exec: "x": not found'), 'x');
  t.is(error.message, 'OCI runtime create failed: runc create failed: exec: "x": not found: unknown');
  const silent = 'OCI runtime exec failed: exec: "x": the runtime gave no reason: unknown';
  t.is(taskStartError('exec', '', 'x').message, silent);
});

test("crun's words for a program are put into runc's", (t) => {
  const words = (printed: string, program: string): string => taskStartError('create', printed, program).message;
  const missing = 'executable file `x` not found in $PATH: No such file or directory\n';
  t.regex(words(missing, 'x'), /exec: "x": executable file not found in \$PATH: unknown$/);
  t.regex(words(missing.replace('`x`', '`/x`'), '/x'), /exec: "\/x": stat \/x: no such file or directory: unknown$/);
  t.regex(words('open executable: Operation not permitted\n', '/etc'), /exec: "\/etc": permission denied: unknown$/);
});

test('a mount of the wrong kind comes with a question', (t) => {
  const error = taskStartError('create', runcLine('error mounting "/f" to rootfs at "/d": not a directory'), 'sh');
  t.is(error.exitCode, 127);
  t.regex(error.message, /Are you trying to mount a directory onto a file/);
});
