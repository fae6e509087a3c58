import { SetupError } from './setup-error.mjs';
import { installSystemPackages } from './system-packages.mjs';
import { systemPath } from './system-path.mjs';

// `npm run swarm`: what an engine needs to make or join a swarm, and no other engine. The daemon may run meanwhile.
process.env.PATH = systemPath();
try {
  installSystemPackages('swarm');
  console.log('etcd is installed: this host can make a swarm');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`gantry: ${error.message}`);
  process.exit(1);
}
