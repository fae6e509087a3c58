import { kindOf } from '@gantry/core/errors';
import test from 'ava';
import { attachment, networkHarness, sandboxOf, small } from '../testing/harness.js';

test('a client may choose the names of interfaces; others take the first free number', async (t) => {
  const harness = await networkHarness(t);
  const networks = [];
  for (const [index, name] of ['one', 'two', 'three'].entries())
    networks.push(await harness.create(small(name, index + 1)));
  const [one = '', two = '', three = ''] = networks;
  const named = (name: string) => ({ options: { 'com.docker.network.endpoint.ifname': name } });
  const namesOf = () => harness.endpoints.endpointsOf('c1').map(({ interfaceName }) => interfaceName);
  await harness.sandboxes.open(sandboxOf('c1', attachment(one, named('up')), attachment(two)));
  t.deepEqual(namesOf(), ['up', 'eth0']);
  await harness.endpoints.connect('c1', attachment(three, named('eth1')));
  t.deepEqual(namesOf(), ['up', 'eth0', 'eth1']);
  t.deepEqual(
    [...harness.bridge.endpoints.values()].map(({ hasChosenName }) => hasChosenName),
    [true, undefined, true],
  );
  await harness.reopen();
  await harness.sandboxes.restore(['c1']);
  t.deepEqual(namesOf(), ['up', 'eth0', 'eth1'], 'in joining order after a restart, too');
});

test('an endpoint whose options cannot be applied is refused, and its address released', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front)));
  const refusedAs = async (option: string, value: string, message: RegExp): Promise<void> => {
    const options = { [`com.docker.network.endpoint.${option}`]: value };
    const error = await t.throwsAsync(harness.endpoints.connect('c1', attachment(back, { options })), { message });
    t.is(kindOf(error), 'internal', value);
  };
  await refusedAs('ifname', 'eth0', /has an interface "eth0" already/);
  await refusedAs('ifname', 'lo', /has an interface "lo" already/);
  await refusedAs('ifname', 'a/b', /invalid interface name "a\/b"/);
  await refusedAs('ifname', 'averyveryverylongname', /invalid interface name/);
  await refusedAs('sysctls', 'net.ipv4.conf.IFNAME.mtu', /to have format name=value/);
  await refusedAs('sysctls', 'net.ipv4.conf.IFNAME.x.y=1', /to have format net.X.Y.IFNAME.Z/);
  await refusedAs('sysctls', 'kernel.ipv4.x.IFNAME.y=1', /is not a sysctl file/);
  await refusedAs('sysctls', 'net.ipv4.conf/x.IFNAME.y=1', /is not a sysctl file/);
  t.is(await harness.room(back), 5);
});

test('drivers get the options of an endpoint, and its kernel settings one by one', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const sysctls = 'net.ipv4.conf.IFNAME.log_martians=1,net.ipv4.neigh.ifname.retrans_time_ms=500';
  const options = { 'a.b': 'c', 'com.docker.network.endpoint.sysctls': sysctls };
  await harness.sandboxes.open(sandboxOf('c1', attachment(front, { options })));
  t.like([...harness.bridge.endpoints.values()][0], {
    interfaceName: 'eth0',
    options,
    sysctls: [
      { name: 'net.ipv4.conf.IFNAME.log_martians', value: '1' },
      { name: 'net.ipv4.neigh.IFNAME.retrans_time_ms', value: '500' },
    ],
  });
});
