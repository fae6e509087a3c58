import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';

/** Runs a program whose log goes to descriptor 3. Resolves to what it printed, and how it ended. */
async function run(program: string, log: number | 'pipe') {
  const imported = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const source = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { pino } from 'pino';
    import { installCrashPolicy } from ${imported('./install-crash-policy.js')};
    import { LogDestination } from ${imported('./log-destination.js')};
    const destination = new LogDestination(3);
    const log = pino({}, destination);
    installCrashPolicy({ log, flush: () => destination.end(), exit: (code) => process.exit(code) });
    ${program}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: new URL('.', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', log],
  });
  const logged = log === 'pipe' ? text(child.stdio[3] as NodeJS.ReadableStream & AsyncIterable<Buffer>) : '';
  const printed = text(child.stdout as NonNullable<typeof child.stdout>);
  const [code] = await once(child, 'close');
  return { code, printed: await printed, logged: await logged };
}

const twoLines = "log.info('one'); await delay(200); log.info('two'); await delay(200); console.log('still there');";

test('a log that cannot be written ends nothing, and keeps a crash from nothing', async (t) => {
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  t.like(await run(`${twoLines} destination.end();`, full), { code: 0, printed: 'still there\n' });
  t.like(await run(`${twoLines} setTimeout(() => { throw new Error('unexpected') });`, full), {
    code: 1,
    printed: 'still there\n',
  });
});

test('lines come whole and in order, the last ones at the end of the process', async (t) => {
  const { code, logged } = await run(
    "for (let index = 0; index < 1000; index++) log.info('line ' + index); throw new Error('unexpected');",
    'pipe',
  );
  t.is(code, 1);
  const lines = logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });
  t.deepEqual(
    [...new Set(lines.map(({ msg }) => msg))].slice(0, 1000),
    Array.from({ length: 1000 }, (_, index) => `line ${index}`),
  );
  t.regex(lines.at(-1)?.msg ?? '', /uncaught error/);
});
