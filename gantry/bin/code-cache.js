const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

// What `module.enableCompileCache` does since Node 22.1, for the bundle's own files and older versions of Node.

/** Has modules of a directory compiled with the code that was recorded for them. V8 ignores code of another version. */
function useRecordedCode(directory, codeDirectory) {
  compileBy(directory, (filename) => {
    let cachedData;
    try {
      cachedData = readFileSync(codeFile(codeDirectory, filename));
    } catch {
      return undefined; // not recorded
    }
    return new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData });
  });
}

/** Records the code of all modules of a directory that the process runs, with the functions called so far, at its exit. */
function recordCode(directory, codeDirectory) {
  const scripts = new Map();
  compileBy(directory, (filename) => {
    const source = readFileSync(filename, 'utf8');
    if (dynamicImport.test(source)) return undefined;
    const script = new Script(wrap(source), { filename });
    scripts.set(filename, script);
    return script;
  });
  process.on('exit', () => {
    // V8 trusts what it reads, so the directory has its name only when all files are whole.
    const incomplete = `${codeDirectory}.incomplete`;
    rmSync(incomplete, { recursive: true, force: true });
    mkdirSync(incomplete, { recursive: true });
    for (const [filename, script] of scripts) {
      writeFileSync(codeFile(incomplete, filename), script.createCachedData());
    }
    rmSync(codeDirectory, { recursive: true, force: true });
    renameSync(incomplete, codeDirectory);
  });
}

const codeFile = (codeDirectory, filename) => join(codeDirectory, `${basename(filename)}.code`);

/** `import()` as an expression, which scripts have as an experimental feature only. Methods may have the same name. */
const dynamicImport = /(?:await|return|=>|[(=,:?]) ?import\(/;

/**
 * Node has a hook for each extension. The one that was there compiles other directories, and what `scriptOf` has no script
 * for.
 */
function compileBy(directory, scriptOf) {
  const usual = require.extensions['.cjs'] ?? require.extensions['.js'];
  require.extensions['.cjs'] = (module, filename) => {
    const script = dirname(filename) === directory ? scriptOf(filename) : undefined;
    if (script === undefined) return usual(module, filename);
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, createRequire(filename), module, filename, directory);
  };
}

module.exports = { recordCode, useRecordedCode };
