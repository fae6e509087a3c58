const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

// What `module.enableCompileCache` does since Node 22.1, for the bundle's own files and older versions of Node.

/** Has modules of a directory compiled with the code that was recorded for them. V8 ignores code of another version. */
function useRecordedCode(directory, codeDirectory) {
  compileWith(directory, (filename) => {
    try {
      return { filename, cachedData: readFileSync(codeFile(codeDirectory, filename)) };
    } catch {
      return { filename }; // V8 compiles what was not recorded
    }
  });
}

/** Records the code of all modules of a directory that the process runs, with the functions called so far, at its exit. */
function recordCode(directory, codeDirectory) {
  const scripts = compileWith(directory, (filename) => ({ filename }));
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

/** An expression, where methods may have the same name. */
const dynamicImport = /(?:await|return|=>|[(=,:?]) ?import\(/;

/**
 * Node has a hook for each extension; `.cjs` is only the bundle's. The usual one compiles other directories, and modules
 * with `import()`, which scripts have as an experimental feature only.
 */
function compileWith(directory, optionsFor) {
  const scripts = new Map();
  const usual = require.extensions['.js'];
  require.extensions['.cjs'] = (module, filename) => {
    if (dirname(filename) !== directory) return usual(module, filename);
    const source = readFileSync(filename, 'utf8');
    if (dynamicImport.test(source)) return usual(module, filename);
    const script = new Script(wrap(source), optionsFor(filename));
    scripts.set(filename, script);
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, createRequire(filename), module, filename, directory);
  };
  return scripts;
}

module.exports = { recordCode, useRecordedCode };
