const publicModules = {
  '@gantry/core': new URL('../public/index.js', import.meta.url),
  '@gantry/core/contracts': new URL('../public/contracts.js', import.meta.url),
  '@gantry/core/crash-points': new URL('../public/crash-points.js', import.meta.url),
  '@gantry/core/driver': new URL('../public/driver.js', import.meta.url),
  '@gantry/core/errors': new URL('../public/errors.js', import.meta.url),
  '@gantry/core/http': new URL('../public/http.js', import.meta.url),
  '@gantry/core/plugin': new URL('../public/plugin.js', import.meta.url),
  '@gantry/core/streams': new URL('../public/streams.js', import.meta.url),
};

/** The URLs of the public modules of the core that this process runs, by the names that packages import them by. */
export const coreModules: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(publicModules).map(([specifier, url]) => [specifier, url.href]),
);
