import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Runs the bundles so far that V8 has compiled what every start needs, and keeps its code. V8 takes code back only with
// the flags it was made with: the daemon's with none, that of its threads with those that the daemon sets.
const require = createRequire(import.meta.url);
const { compile } = require('../../core/bundle/load.cjs');
const v8 = require('node:v8');
const [directory, ...threads] = process.argv.slice(2);

const keep = (name, script) => writeFileSync(join(directory, `${name}.code`), script.createCachedData());

const { exit } = process;
const { setFlagsFromString } = v8;
const flags = [];
v8.setFlagsFromString = (flag) => flags.push(flag);
process.exit = () => undefined; // the program's, after it has checked the configuration
const daemon = compile('gantryd', directory);
await daemon.run().gantryd(['--validate']);
keep('gantryd', daemon.script);

for (const flag of flags) setFlagsFromString(flag);
for (const name of threads) {
  const { script, run } = compile(name, directory);
  try {
    run();
  } catch {
    // Its last module finds that this is no thread; all that it needs has run by then.
  }
  keep(name, script);
}
exit(0);
