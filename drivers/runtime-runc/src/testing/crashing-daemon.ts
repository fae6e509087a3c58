import { openDriver } from '@gantry/conformance';
import definition from '../index.js';
import { requestFor } from './request.js';

/** A daemon of its own process, to be killed: does one thing after the other, and says so. */
const [root = '', cgroupParent = '', rootfs = '', id = '', ...steps] = process.argv.slice(2);

const { driver } = await openDriver(definition, { root, config: { cgroupParent } });
for (const step of steps) {
  // Monitors are started early only once the runtimes have been probed.
  if (step === 'describe') await driver.describe();
  else if (step === 'prepare') await driver.prepareTask?.({ ...requestFor(rootfs, id, []), terminal: false });
  else if (step === 'create') await driver.create(requestFor(rootfs, id, ['sleep', '1000']));
  else if (step === 'start') await driver.startTask(id);
  else if (step === 'delete') await driver.delete(id, { force: true });
  process.stdout.write(`${step}\n`);
}
process.kill(process.pid, 'SIGKILL');
