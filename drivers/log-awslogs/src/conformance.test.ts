import { logDriverSuite, openDriver } from '@gantry/conformance';
import { withOptions } from '@gantry/lib-log/testing';
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

logDriverSuite(test, async () =>
  withOptions(await openDriver(awslogs, { config: { region: 'eu-central-1' } }), needed),
);
