import { layerOf } from './layer.js';
import { openOverlay } from './open-overlay.js';

/** A daemon of its own process, that does one thing and is killed at the point its environment names. */
const [root = '', action] = process.argv.slice(2);

const { driver } = await openOverlay(root);
if (action === 'layer') await driver.applyLayer({ id: 'b', parent: 'a', source: { stream: layerOf('new') } });
else if (action === 'writable') await driver.createWritable({ id: 'w', parent: 'a' });
else if (action === 'remove') {
  await driver.mount('old');
  await driver.removeWritable('old');
}
process.kill(process.pid, 'SIGKILL');
