import { finished } from 'node:stream/promises';
import { gantry } from './gantry.js';

// An ordinary user's arguments travel beside those of the launcher, which reads its own.
const passed = process.env.GANTRY_ARGUMENTS;
delete process.env.GANTRY_ARGUMENTS;
const argv = passed === undefined ? process.argv.slice(2) : (JSON.parse(passed) as readonly string[]);
const code = await gantry(argv);
// What was written leaves before the process does; a reader that has left keeps nothing waiting.
for (const stream of [process.stdout, process.stderr]) {
  if (!stream.destroyed && stream.writableLength > 0) {
    await Promise.race([finished(stream), new Promise((resolve) => stream.write('', resolve))]).catch(() => undefined);
  }
}
process.exit(code);
