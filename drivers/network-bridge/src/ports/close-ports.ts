import type { HeldPort } from './held-port.js';

export const closePorts = (ports: readonly HeldPort[]): void => {
  for (const port of ports) port.close();
};
