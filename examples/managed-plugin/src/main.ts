import { logs } from './logs.js';
import { networks } from './networks.js';
import { servePlugin } from './sdk/serve-plugin.js';
import { volumes } from './volumes.js';

servePlugin('/run/docker/plugins/example.sock', { ...volumes, ...networks, ...logs });
