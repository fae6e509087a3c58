import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';

/** Runs a program until it says that it waits, sends it the signals, and resolves to what it printed and its exit code. */
async function interrupt(program: string, signals: number) {
  const source = `
    import { runProgram } from ${JSON.stringify(new URL('./run-program.js', import.meta.url).href)};
    ${program}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  for (let sent = 0; sent < signals; sent++) {
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'close');
  return { code, output: await output, errors: await errors };
}

const waits = `
  setInterval(() => undefined, 1000);
  scope.teardown(() => console.log('released'));
`;

test('an interrupted program fails, and what it had started is released', async (t) => {
  const program = `await runProgram(async (scope) => {
    ${waits}
    console.log('waits');
    await new Promise(() => undefined);
  });`;
  const { code, errors, output } = await interrupt(program, 1);
  t.deepEqual([code, output], [1, 'waits\nreleased\n']);
  t.regex(errors, /Error: SIGTERM/);
});

test('one that finishes by itself is failed by the second signal', async (t) => {
  const program = `await runProgram(async (scope, interrupted) => {
    ${waits}
    interrupted.addEventListener('abort', () => console.log('finishes'));
    console.log('waits');
    await new Promise(() => undefined);
  }, { finishes: true });`;
  const { code, output } = await interrupt(program, 2);
  t.deepEqual([code, output], [1, 'waits\nfinishes\nreleased\n']);
});

test('a program that ends releases what it had started, and the process ends', async (t) => {
  const program = `await runProgram(async (scope) => {
    scope.teardown(() => console.log('released'));
    console.log('done');
  });`;
  const { code, output } = await interrupt(program, 0);
  t.deepEqual([code, output], [0, 'done\nreleased\n']);
});
