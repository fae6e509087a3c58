import { openDriver } from '@gantry/conformance';
import test from 'ava';
import ipam from './index.js';
import { localIpv6Pool } from './local-ipv6-pool.js';

test('networks with IPv6 get subnets of the host’s own unique local addresses, always the same ones', async (t) => {
  const { base } = await localIpv6Pool();
  t.regex(base, /^fd[0-9a-f]{2}:[0-9a-f]{4}:[0-9a-f]{4}::\/48$/);
  t.is((await localIpv6Pool()).base, base);
  const { driver, release } = await openDriver(ipam);
  t.teardown(release);
  const subnets = [await driver.requestPool({ ipv6: true }), await driver.requestPool({ ipv6: true })].map(
    ({ subnet }) => subnet,
  );
  t.is(new Set(subnets).size, 2);
  for (const subnet of subnets) t.regex(subnet, /^fd[0-9a-f:]+::?[0-9a-f:]*\/64$/);
});
