import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInHttp } from '@gantry/log-common/testing';
import test from 'ava';
import splunk from './index.js';

const server = await standInHttp((_request, _body, response) => response.end('{"text":"Success","code":0}'));
const needed = { 'splunk-url': `http://127.0.0.1:${server.port}`, 'splunk-token': 'secret' };
test.after.always(() => server.close());

// Address and token must be there, so they are added to what a check asks for.
logDriverSuite(test, async () => {
  const opened = await openDriver(splunk);
  const { driver } = opened;
  const open = driver.open.bind(driver);
  const validate = driver.validate.bind(driver);
  driver.open = (container) => open({ ...container, options: { ...needed, ...container.options } });
  driver.validate = (options) => validate({ ...needed, ...options });
  return opened;
});
