import type { Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Server } from 'node:net';
import type { SandboxDriver } from '@gantry/core/contracts';
import { atOnce, rejects } from './expectations.js';
import { defineSuite } from './suite.js';

/** The promises of `contracts/sandbox.ts`. */
export const sandboxDriverSuite = defineSuite<SandboxDriver>('sandbox', (suite) => {
  const id = 'c0ffee';

  suite.check('two openings are independent', async (t, { driver }, open) => {
    await driver.create(id);
    const other = await open();
    t.is(await other.driver.get(id), undefined);
    t.not((await other.driver.create(id)).path, (await driver.get(id))?.path);
    await Promise.all([driver.remove(id), other.driver.remove(id)]);
  });

  suite.check('a sandbox that was made is found by its id and in the list', async (t, { driver }) => {
    const made = await driver.create(id);
    t.is(made.id, id);
    t.regex(made.path, /^\//);
    t.deepEqual(await driver.get(id), made);
    t.deepEqual(await driver.list(), [id]);
    await driver.remove(id);
  });

  suite.check('an absent sandbox is undefined, and the list is empty', async (t, { driver }) => {
    t.is(await driver.get(id), undefined);
    t.deepEqual(await driver.list(), []);
  });

  suite.check('an id can be taken once', async (t, { driver }) => {
    const { path } = await driver.create(id);
    await rejects(t, driver.create(id), 'conflict', /c0ffee/);
    t.is((await driver.get(id))?.path, path);
    await driver.remove(id);
  });

  suite.check('of 20 that make the same sandbox at once one succeeds', async (t, { driver }) => {
    const results = await atOnce(20, () =>
      driver.create(id).then(
        () => true,
        () => false,
      ),
    );
    t.is(results.filter(Boolean).length, 1);
    await driver.remove(id);
  });

  suite.check('20 sandboxes made at once are 20, and removed at once none', async (t, { driver }) => {
    const made = await atOnce(20, (index) => driver.create(`s${index}`));
    t.is(new Set(made.map(({ path }) => path)).size, 20);
    t.deepEqual([...(await driver.list())].sort(), made.map((sandbox) => sandbox.id).sort());
    await atOnce(20, (index) => driver.remove(`s${index}`));
    t.deepEqual(await driver.list(), []);
  });

  for (const bad of ['', '../up', 'a/b', '.', '..', '-x', 'a b']) {
    suite.check(`"${bad}" is not an id`, async (t, { driver }) => {
      await rejects(t, driver.create(bad), 'invalid-argument');
      t.deepEqual(await driver.list(), []);
    });
  }

  suite.check('a removed sandbox is gone, and its id free', async (t, { driver }) => {
    await driver.create(id);
    await atOnce(20, () => driver.remove(id));
    t.is(await driver.get(id), undefined);
    await driver.create(id);
    await driver.remove(id);
  });

  suite.check('removing what is not there resolves', async (t, { driver }) => {
    await driver.remove(id);
    t.pass();
  });

  suite.check('the host has a path and is not in the list', async (t, { driver }) => {
    t.regex(driver.host.path, /^\//);
    t.deepEqual(await driver.list(), []);
  });

  suite.check('sandboxes survive the death of the daemon', async (t, opened) => {
    const { path } = await opened.driver.create(id);
    const { driver } = await opened.reopen({ crash: true });
    t.is((await driver.get(id))?.path, path);
    t.deepEqual(await driver.list(), [id]);
    await rejects(t, driver.create(id), 'conflict');
    await driver.remove(id);
    t.deepEqual(await driver.list(), []);
  });

  suite.check('sandboxes survive a stop and a start', async (t, opened) => {
    await opened.driver.create(id);
    const { driver } = await opened.reopen();
    t.deepEqual(await driver.list(), [id]);
    await driver.remove(id);
  });

  suite.check('a reboot removes sandboxes, and their ids are free', async (t, opened) => {
    await opened.driver.create(id);
    const { driver } = await opened.reopen({ reboot: true });
    t.is(await driver.get(id), undefined);
    t.deepEqual(await driver.list(), []);
    await driver.create(id);
    await driver.remove(id);
  });

  suite.check("a resolver's sockets are open and the caller's to close", async (t, { driver }) => {
    await driver.create(id);
    const resolver = await driver.openResolver(id);
    t.true(resolver.udp.address().port > 0);
    t.true(resolver.tcp.listening);
    await close(resolver);
    await driver.remove(id);
  });

  suite.check('a resolver can be opened again, also beside the old one and after a crash', async (t, opened) => {
    await opened.driver.create(id);
    const first = await opened.driver.openResolver(id);
    await close(await opened.driver.openResolver(id));
    const { driver } = await opened.reopen({ crash: true });
    await close(await driver.openResolver(id));
    await close(first);
    await driver.remove(id);
    t.pass();
  });

  suite.check('there is no resolver in an absent sandbox', async (t, { driver }) => {
    await rejects(t, driver.openResolver(id), 'not-found', /c0ffee/);
  });
});

async function close({ udp, tcp }: { readonly udp: DatagramSocket; readonly tcp: Server }): Promise<void> {
  const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
  udp.close();
  tcp.close();
  await closed;
}
