import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Runs the bundles so far that V8 has compiled what every start needs, and keeps its code. V8 takes code back only with
// the flags it was made with, and the daemon sets one before its threads start.
const { compile } = createRequire(import.meta.url)('../../core/bundle/load.cjs');
const [directory, ...threads] = process.argv.slice(2);

const keep = (name, script) => writeFileSync(join(directory, `${name}.code`), script.createCachedData());

const exit = process.exit;
process.exit = () => undefined; // the program's, after it has checked the configuration
const daemon = compile('gantryd', directory);
await daemon.run().gantryd(['--validate']);
process.exit = exit;
const flag = 'enable-experimental-regexp-engine-on-excessive-backtracks';
setFlagsFromString(`--no-${flag}`);
keep('gantryd', daemon.script);

setFlagsFromString(`--${flag}`);
for (const name of threads) {
  const { script, run } = compile(name, directory);
  try {
    run();
  } catch {
    // Its last module finds that this is no thread; all that it needs has run by then.
  }
  keep(name, script);
}
process.exit(0);
