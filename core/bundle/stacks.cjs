const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Lets stacks name the TypeScript that a line of a bundle comes from. A table is read when a stack first needs it: Node's
 * own way, which does not know scripts like these, reads megabytes of maps at once. @returns takes it back.
 */
function explainStacks(directory, root) {
  const tables = new Map();
  const tableOf = (file) => {
    if (!tables.has(file)) tables.set(file, readTable(file.replace(/\.cjs$/, ''), root));
    return tables.get(file);
  };
  const explain = (frame) => {
    const file = frame.getFileName();
    const line = frame.getLineNumber();
    const origin = file?.startsWith(directory) ? tableOf(file)(line) : undefined;
    return origin === undefined ? `${frame}` : `${frame}`.replace(`${file}:${line}:${frame.getColumnNumber()}`, origin);
  };
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${explain(frame)}`)].join('\n');
  return () => {
    Error.prepareStackTrace = before;
  };
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** Two numbers for each line: which source, and the line there; the latter is 0 for what comes from none. */
function readTable(path, root) {
  try {
    const sources = JSON.parse(readFileSync(`${path}.sources.json`, 'utf8'));
    const { buffer, byteOffset, length } = readFileSync(`${path}.lines`);
    const numbers = new Uint32Array(buffer, byteOffset, length / 4);
    return (line) => {
      const [source, place] = numbers.subarray(2 * line - 2, 2 * line);
      return place > 0 ? `${join(root, sources[source])}:${place}` : undefined;
    };
  } catch {
    return () => undefined;
  }
}

module.exports = { explainStacks };
