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

/** What most clients begin with. Nothing that needs an image or a container. */
const questions = ['/_ping', '/v1.24/_ping', '/version', '/v1.24/containers/json', '/v1.24/networks'];

const ask = (path) =>
  new Promise((resolve, reject) => {
    request({ socketPath, path }, (answer) => answer.resume().once('end', resolve))
      .once('error', reject)
      .end();
  });

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
for (const path of questions) await ask(path);
const code = join(directory, 'gantryd.code');
writeFileSync(`${code}.new`, daemon.script.createCachedData());
renameSync(`${code}.new`, code); // whole or not at all: this may be killed
process.kill(process.pid, 'SIGTERM');
await ended;
exit(0);
