import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInStream } from '@gantry/log-common/testing';
import test from 'ava';
import fluentd from './index.js';

const server = await standInStream();
const address = { 'fluentd-address': `127.0.0.1:${server.port}` };
test.after.always(() => server.close());

logDriverSuite(test, async () => {
  const opened = await openDriver(fluentd);
  const open = opened.driver.open.bind(opened.driver);
  opened.driver.open = (container) => open({ ...container, options: { ...address, ...container.options } });
  return opened;
});
