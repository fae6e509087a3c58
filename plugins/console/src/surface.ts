import { version } from '@gantry/core';
import type { Logger } from '@gantry/core/driver';
import { Surface } from '@gantry/core/http';

/** Injects the surface of the console: its pages, and the way to the engine's API. */
export type ConsoleSurface = Surface;
export const ConsoleSurface = Symbol('console-surface');

export const createConsoleSurface = (log: Logger): ConsoleSurface =>
  new Surface({
    log,
    name: 'console',
    headers: {
      Server: `Gantry/${version}`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
  });
