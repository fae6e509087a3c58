import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import awslogs from './index.js';
import { accessKey, standInCloudWatch } from './testing/cloud-watch-stand-in.js';

const server = await standInCloudWatch();
process.env.AWS_ACCESS_KEY_ID = accessKey.id;
process.env.AWS_SECRET_ACCESS_KEY = accessKey.secret;
const needed = {
  'awslogs-group': 'group',
  'awslogs-create-group': 'true',
  'awslogs-endpoint': `http://127.0.0.1:${server.port}`,
};
test.after.always(() => server.close());

// A group must be there, so it is added to what a check asks for.
logDriverSuite(test, async () => {
  const opened = await openDriver(awslogs, { config: { region: 'eu-central-1' } });
  const { driver } = opened;
  const open = driver.open.bind(driver);
  const validate = driver.validate.bind(driver);
  driver.open = (container) => open({ ...container, options: { ...needed, ...container.options } });
  driver.validate = (options) => validate({ ...needed, ...options });
  return opened;
});
