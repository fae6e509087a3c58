import { logDriverSuite, openDriver } from '@gantry/conformance';
import { standInHttp, withOptions } from '@gantry/lib-log/testing';
import test from 'ava';
import splunk from './index.js';

const server = await standInHttp((_request, _body, response) => response.end('{"text":"Success","code":0}'));
const needed = { 'splunk-url': `http://127.0.0.1:${server.port}`, 'splunk-token': 'secret' };
test.after.always(() => server.close());

logDriverSuite(test, async () => withOptions(await openDriver(splunk), needed));
