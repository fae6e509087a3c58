import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInUdp } from '@gantry/log-common/testing';
import test from 'ava';
import gelf from './index.js';

const server = await standInUdp();
const address = { 'gelf-address': `udp://127.0.0.1:${server.port}` };
test.after.always(() => server.close());

// The address must be there, so it is added to what a check asks for.
logDriverSuite(test, async () => {
  const opened = await openDriver(gelf);
  const { driver } = opened;
  const open = driver.open.bind(driver);
  const validate = driver.validate.bind(driver);
  driver.open = (container) => open({ ...container, options: { ...address, ...container.options } });
  driver.validate = (options) => validate({ ...address, ...options });
  return opened;
});
