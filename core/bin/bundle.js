const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

/** Where the bundled daemon is: docs/adr/0012. */
const directory = join(__dirname, '../bundle/dist');

/** Whether there is a bundle that was made from the compiler's and npm's output as it is now. */
function isCurrent() {
  let inputs;
  try {
    inputs = JSON.parse(readFileSync(join(directory, 'inputs.json'), 'utf8'));
  } catch {
    return false;
  }
  return inputs.every(([file, size, mtimeMs]) => {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    return found !== undefined && found.size === size && found.mtimeMs === mtimeMs;
  });
}

module.exports = { directory, isCurrent, root };
