import type { IpamDriver, Pool } from '@gantry/core/contracts';
import { atOnce, rejects } from './expectations.js';
import { defineSuite } from './suite.js';
import type { Assertions } from './test-interface.js';

/** The promises of `contracts/ipam.ts`. */
export const ipamDriverSuite = defineSuite<IpamDriver>('ipam', (suite) => {
  const subnet = '10.213.0.0/24';
  const small = '10.213.1.0/29'; // six addresses for interfaces
  const pool = (driver: IpamDriver, cidr = subnet, range?: string): Promise<Pool> =>
    driver.requestPool({ subnet: cidr, ipv6: cidr.includes(':'), ...(range !== undefined && { range }) });

  suite.check('two openings are independent', async (t, { driver }, open) => {
    await pool(driver);
    t.is((await pool((await open()).driver)).subnet, subnet);
  });

  suite.check('pools of its own choice overlap neither each other nor one that was named', async (t, { driver }) => {
    const chosen = await atOnce(5, () => driver.requestPool({ ipv6: false }));
    await pool(driver);
    for (const { subnet: cidr } of chosen) {
      t.regex(cidr, /^(\d+\.){3}\d+\/\d+$/);
      await rejects(t, pool(driver, cidr), 'forbidden', /^Pool overlaps with other one on this address space$/);
    }
    t.is(new Set(chosen.map(({ id }) => id)).size, 5);
  });

  suite.check('a subnet that overlaps another pool is refused', async (t, { driver }) => {
    await pool(driver);
    for (const cidr of [subnet, '10.213.0.128/25', '10.212.0.0/15']) {
      await rejects(t, pool(driver, cidr), 'forbidden', /^Pool overlaps with other one on this address space$/);
    }
  });

  suite.check('of 20 requests for one subnet at once one succeeds', async (t, { driver }) => {
    const results = await atOnce(20, () =>
      pool(driver).then(
        () => true,
        () => false,
      ),
    );
    t.is(results.filter(Boolean).length, 1);
  });

  suite.check('a released pool can be had again, with all its addresses', async (t, { driver }) => {
    const first = await pool(driver);
    const address = await driver.requestAddress(first.id);
    await atOnce(20, () => driver.releasePool(first.id));
    const second = await pool(driver);
    t.is(await driver.requestAddress(second.id, { preferred: bare(address) }), address);
  });

  suite.check('releasing what is not there resolves', async (t, { driver }) => {
    await driver.releasePool('no such pool');
    await driver.releaseAddress('no such pool', '10.213.0.2/24');
    const { id } = await pool(driver);
    await driver.releaseAddress(id, '10.213.0.77/24');
    t.pass();
  });

  for (const bad of ['x/24', '10.213.0.0', '10.213.0.0/33', '10.213.0/24', '10.213.0.0/24/24', '10.213.0.256/24', '']) {
    suite.check(`"${bad}" is not a subnet, and the refusal says so`, async (t, { driver }) => {
      const error = await rejects(t, driver.requestPool({ subnet: bad, ipv6: false }), 'invalid-argument');
      t.true(error.message.includes(bad), error.message);
    });
  }

  suite.check('a subnet of the other family is refused', async (t, { driver }) => {
    await rejects(t, driver.requestPool({ subnet, ipv6: true }), 'invalid-argument');
    await rejects(t, driver.requestPool({ subnet: 'fd00:213::/64', ipv6: false }), 'invalid-argument');
  });

  suite.check('a range outside the subnet is refused, and the subnet stays free', async (t, { driver }) => {
    await rejects(t, pool(driver, subnet, '10.214.0.0/25'), 'invalid-argument', /10\.214\.0\.0\/25/);
    await pool(driver);
    t.pass();
  });

  suite.check('addresses asked for at once all differ and lie in the pool', async (t, { driver }) => {
    const { id } = await pool(driver);
    const addresses = await atOnce(20, () => driver.requestAddress(id));
    t.is(new Set(addresses).size, 20);
    for (const address of addresses) t.regex(address, /^10\.213\.0\.\d+\/24$/);
  });

  suite.check('a gateway gets the first address, and others the next ones', async (t, { driver }) => {
    const { id } = await pool(driver);
    t.is(await driver.requestAddress(id, { gateway: true }), '10.213.0.1/24');
    t.is(await driver.requestAddress(id), '10.213.0.2/24');
    t.is(await driver.requestAddress(id), '10.213.0.3/24');
  });

  suite.check('a preferred address is given once', async (t, { driver }) => {
    const { id } = await pool(driver);
    t.is(await driver.requestAddress(id, { preferred: '10.213.0.9' }), '10.213.0.9/24');
    await rejects(t, driver.requestAddress(id, { preferred: '10.213.0.9' }), 'conflict', /^Address already in use$/);
    await driver.releaseAddress(id, '10.213.0.9/24');
    t.is(await driver.requestAddress(id, { preferred: '10.213.0.9' }), '10.213.0.9/24');
  });

  suite.check('preferred addresses do not move the choice of the others', async (t, { driver }) => {
    const { id } = await pool(driver);
    await driver.requestAddress(id, { gateway: true });
    await driver.requestAddress(id, { preferred: '10.213.0.2' });
    await driver.requestAddress(id, { preferred: '10.213.0.200' });
    t.is(await driver.requestAddress(id), '10.213.0.3/24');
  });

  suite.check('an address outside the pool, or none at all, is refused by name', async (t, { driver }) => {
    const { id } = await pool(driver);
    for (const preferred of ['10.213.1.9', 'fd00::1', 'x', '10.213.0']) {
      const error = await rejects(t, driver.requestAddress(id, { preferred }), 'invalid-argument');
      t.true(error.message.includes(preferred), error.message);
    }
  });

  suite.check('the network and broadcast addresses of a subnet are never allocated', async (t, { driver }) => {
    const { id } = await pool(driver, small);
    await rejects(t, driver.requestAddress(id, { preferred: '10.213.1.0' }), 'conflict', /^Address already in use$/);
    await rejects(t, driver.requestAddress(id, { preferred: '10.213.1.7' }), 'conflict', /^Address already in use$/);
    await exhaust(t, driver, id, 6);
  });

  suite.check('a full pool is unavailable until something is released', async (t, { driver }) => {
    const { id } = await pool(driver, small);
    const addresses = await exhaust(t, driver, id, 6);
    const third = addresses[2] ?? '';
    await driver.releaseAddress(id, third);
    t.is(await driver.requestAddress(id), third);
    await rejects(t, driver.requestAddress(id), 'unavailable');
  });

  suite.check('a released address is used again last', async (t, { driver }) => {
    const { id } = await pool(driver, small);
    const first = await driver.requestAddress(id);
    const second = await driver.requestAddress(id);
    await driver.releaseAddress(id, first);
    await driver.releaseAddress(id, second);
    const others = [];
    for (let count = 0; count < 4; count++) others.push(await driver.requestAddress(id));
    t.false(others.includes(first));
    t.false(others.includes(second));
    t.is(await driver.requestAddress(id), first);
  });

  suite.check('released twice is released once', async (t, { driver }) => {
    const { id } = await pool(driver, small);
    const address = await driver.requestAddress(id);
    await atOnce(20, () => driver.releaseAddress(id, address));
    await exhaust(t, driver, id, 6);
  });

  suite.check('addresses are chosen from the range, and preferred ones may lie beside it', async (t, { driver }) => {
    const { id } = await pool(driver, subnet, '10.213.0.64/30');
    t.is(await driver.requestAddress(id, { gateway: true }), '10.213.0.1/24');
    t.is(await driver.requestAddress(id, { preferred: '10.213.0.9' }), '10.213.0.9/24');
    const chosen = await exhaust(t, driver, id, 4);
    t.deepEqual(
      chosen,
      [64, 65, 66, 67].map((last) => `10.213.0.${last}/24`),
    );
  });

  suite.check('an IPv6 subnet has as many addresses as anyone wants', async (t, { driver }) => {
    const { id, subnet: cidr } = await pool(driver, 'fd00:213::/64');
    t.is(cidr, 'fd00:213::/64');
    t.is(await driver.requestAddress(id, { gateway: true }), 'fd00:213::1/64');
    t.is(await driver.requestAddress(id, { preferred: 'fd00:213::ffff:1' }), 'fd00:213::ffff:1/64');
    const addresses = await atOnce(100, () => driver.requestAddress(id));
    t.is(new Set(addresses).size, 100);
    await rejects(t, pool(driver, 'fd00:213::/80'), 'forbidden', /Pool overlaps/);
  });

  suite.check('after a crash the engine can say everything again', async (t, opened) => {
    const before = await pool(opened.driver);
    const gateway = await opened.driver.requestAddress(before.id, { gateway: true });
    const address = await opened.driver.requestAddress(before.id);
    const { driver } = await opened.reopen({ crash: true });
    const after = await pool(driver);
    t.is(after.subnet, before.subnet);
    t.is(await driver.requestAddress(after.id, { preferred: bare(gateway), gateway: true }), gateway);
    t.is(await driver.requestAddress(after.id, { preferred: bare(address) }), address);
    t.not(await driver.requestAddress(after.id), address);
  });
});

const bare = (address: string): string => address.split('/', 1)[0] ?? address;

/** Takes every address there is, which should be that many. */
async function exhaust(t: Assertions, driver: IpamDriver, poolId: string, count: number): Promise<string[]> {
  const addresses: string[] = [];
  for (let taken = 0; taken < count; taken++) addresses.push(await driver.requestAddress(poolId));
  await rejects(t, driver.requestAddress(poolId), 'unavailable');
  return addresses;
}
