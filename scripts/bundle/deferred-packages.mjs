/**
 * Packages of functions that cost much to load and are hardly ever called, with the names of the functions: these come
 * in as functions that load the package when they are called. `mime-types` makes tables of all types there are.
 */
const packages = { 'mime-types': ['charset', 'contentType', 'extension', 'lookup'] };

/** A part of esbuild's that puts them off. */
export const deferredPackages = {
  name: 'deferred-packages',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(packages).join('|')})$`);
    build.onResolve({ filter }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'now') return undefined;
      const found = await build.resolve(path, { kind, resolveDir, pluginData: 'now' });
      return { path: found.path, namespace: 'deferred', pluginData: { name: path, resolveDir } };
    });
    build.onLoad({ filter: /./, namespace: 'deferred' }, ({ path, pluginData: { name, resolveDir } }) => {
      const functions = packages[name].map((each) => `exports.${each} = (...args) => load().${each}(...args);`);
      const contents = [`const load = () => require(${JSON.stringify(path)});`, ...functions].join('\n');
      return { contents, resolveDir };
    });
  },
};
