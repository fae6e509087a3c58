import { renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

// Runs the daemon of the bundle, with data in a directory of its own, and keeps the code that V8 has compiled by then. For a process
// that can be killed at any time, in namespaces where nothing that a daemon makes is in anybody's way.
const require = createRequire(import.meta.url);
const { compile, directory } = require('../../core/bundle/load.cjs');
const v8 = require('node:v8');
const [scratch] = process.argv.slice(2);
const socketPath = join(scratch, 'gantry.sock');
const configuration = join(scratch, 'gantry.json');
writeFileSync(
  configuration,
  JSON.stringify({
    dataRoot: join(scratch, 'data'),
    execRoot: join(scratch, 'run'),
    plugins: { 'engine-api': { hosts: [`unix://${socketPath}`] } },
  }),
);

/** Resolves to the text of the answer, whatever it is. */
const ask = (path, method = 'GET', body = undefined) =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    request({ socketPath, path, method, headers }, async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve(text);
    })
      .once('error', reject)
      .end(body && JSON.stringify(body));
  });

/** What most clients begin with. No container is started: there are no cgroups of its own here. */
async function askAround() {
  for (const path of ['/v1.24/_ping', '/version', '/v1.24/networks', '/v1.24/images/json']) await ask(path);
  // Of the starter image, where there is a busybox to make one.
  const made = await ask('/v1.24/containers/create?name=one', 'POST', { Image: 'busybox', Cmd: ['true'] });
  if (!made.includes('"Id"')) return;
  for (const path of ['one/json', 'json?all=1', 'json']) await ask(`/v1.24/containers/${path}`);
  await ask('/v1.24/containers/one?v=1', 'DELETE');
}

async function untilListening() {
  for (;;) {
    try {
      return await ask('/_ping');
    } catch {
      await delay(5);
    }
  }
}

// Code is taken back only by a V8 with the same flags, and those that the daemon sets come later there.
v8.setFlagsFromString = () => undefined;
const { exit } = process;
const ended = new Promise((resolve) => {
  process.exit = resolve;
});
const daemon = compile('gantryd');
daemon.run().gantryd(['--config', configuration]);
await Promise.race([untilListening(), ended.then(() => exit(1))]);
await askAround();
const code = join(directory, 'gantryd.code');
writeFileSync(`${code}.new`, daemon.script.createCachedData());
renameSync(`${code}.new`, code); // whole or not at all: this may be killed
process.kill(process.pid, 'SIGTERM');
await ended;
exit(0);
