import type {
  AnswerPath,
  BalancedPort,
  BalancedService,
  LoadBalancerDriver,
  Sandbox,
  SandboxDriver,
} from '@gantry/core/contracts';
import { atOnce, rejects } from './expectations.js';
import type { Opened } from './open-driver.js';
import { defineSuite, type SuiteOptions } from './suite.js';
import type { Assertions } from './test-interface.js';

export interface LoadBalancerSuiteOptions extends SuiteOptions {
  /** Opens a sandbox driver whose sandboxes the driver can work in. Released after each check. */
  sandboxes(): Promise<Opened<SandboxDriver>>;
}

const service = (last: number, ...backends: readonly number[]): BalancedService => ({
  address: `10.9.0.${last}`,
  backends: backends.map((backend) => `10.9.1.${backend}`),
});

const port = (number: number, ...backends: readonly number[]): BalancedPort => ({
  protocol: 'tcp',
  port: 41_800 + number,
  targetPort: 80,
  backends: backends.map((backend) => `10.9.1.${backend}`),
});

const answers = (...meshes: readonly number[]): AnswerPath => ({
  address: '127.0.0.1',
  subnets: ['127.0.0.0/24'],
  meshes: meshes.map((last) => ({ address: `127.0.0.${last}`, macAddress: `02:42:7f:00:00:0${last}` })),
});

/** The promises of `contracts/load-balancer.ts`, but for traffic, which depends on the network. */
export const loadBalancerDriverSuite = defineSuite<LoadBalancerDriver, LoadBalancerSuiteOptions>(
  'load-balancer',
  (suite) => {
    const check = (name: string, run: (t: Assertions, driver: LoadBalancerDriver, sandbox: Sandbox) => Promise<void>) =>
      suite.check(name, async (t, { driver }) => {
        const sandboxes = await suite.options.sandboxes();
        try {
          await run(t, driver, await sandboxes.driver.create('box'));
        } finally {
          await sandboxes.driver.remove('box');
          await sandboxes.release();
        }
      });

    check('services of a sandbox are replaced, repeated and removed', async (t, driver, sandbox) => {
      await driver.balance(sandbox, [service(1, 1, 2, 3), service(2, 1)]);
      await driver.balance(sandbox, [service(1, 1, 2, 3), service(2, 1)]);
      await driver.balance(sandbox, [service(2), service(3, 4, 5)]);
      await driver.balance(sandbox, []);
      await driver.balance(sandbox, []);
      t.pass();
    });

    check('published ports are replaced, repeated and removed', async (t, driver, sandbox) => {
      t.deepEqual(await driver.publish(sandbox, [port(1, 1, 2), { ...port(1, 1), protocol: 'udp' }]), []);
      t.deepEqual(await driver.publish(sandbox, [port(1, 1, 2), { ...port(1, 1), protocol: 'udp' }]), []);
      t.deepEqual(await driver.publish(sandbox, [port(1), { ...port(2, 3), protocol: 'sctp' }]), []);
      t.deepEqual(await driver.publish(undefined, []), []);
      t.deepEqual(await driver.publish(undefined, []), []);
    });

    check('backends that answer through meshes have to be named, or none', async (t, driver, sandbox) => {
      const transparent = { ...port(1, 1, 2), transparent: ['10.9.1.1'] };
      t.deepEqual(await driver.publish(sandbox, [transparent]), []);
      t.deepEqual(await driver.publish(sandbox, [{ ...transparent, backends: [] }]), []);
      const bad = { ...port(1, 1), transparent: ['z'] };
      await rejects(t, driver.publish(sandbox, [bad]), 'invalid-argument', /"z"/);
      t.deepEqual(await driver.publish(undefined, []), []);
    });

    check('answers through meshes are replaced, repeated and removed', async (t, driver, sandbox) => {
      t.is(driver.answerThrough === undefined, driver.clientAddressObstacle === undefined, 'both methods, or neither');
      const obstacle = await driver.clientAddressObstacle?.();
      t.is(await driver.clientAddressObstacle?.(), obstacle, 'it is found out once');
      if (obstacle === undefined) {
        for (const path of [answers(1, 2), answers(1, 2), answers(3), answers(), undefined, undefined]) {
          await driver.answerThrough?.(sandbox, path);
        }
      }
      t.pass();
    });

    check('a path of answers that is wrong is refused by what is wrong', async (t, driver, sandbox) => {
      const { answerThrough } = driver;
      const refused = async (path: AnswerPath, text: RegExp) => {
        if (answerThrough === undefined) return;
        await rejects(t, driver.answerThrough?.(sandbox, path) ?? Promise.resolve(), 'invalid-argument', text);
      };
      await refused({ ...answers(), address: 'x' }, /"x"/);
      await refused({ ...answers(), subnets: ['y'] }, /"y"/);
      await refused({ ...answers(), meshes: [{ address: 'z', macAddress: '02:42:7f:00:00:01' }] }, /"z"/);
      await refused({ ...answers(), meshes: [{ address: '127.0.0.2', macAddress: 'w' }] }, /"w"/);
      const gone = { ...sandbox, id: 'gone', path: `${sandbox.path}-gone` };
      if (answerThrough !== undefined) {
        await rejects(t, driver.answerThrough?.(gone, answers(1)) ?? Promise.resolve(), 'not-found', /gone/);
      }
      t.pass();
    });

    check('20 calls at once take effect', async (t, driver, sandbox) => {
      await atOnce(20, (index) => driver.balance(sandbox, [service(1, 1, 2 + index)]));
      t.pass();
    });

    check('a sandbox that is gone is not found', async (t, driver, sandbox) => {
      const gone = { ...sandbox, id: 'gone', path: `${sandbox.path}-gone` };
      await rejects(t, driver.balance(gone, [service(1, 1)]), 'not-found', /gone/);
      await rejects(t, driver.publish(gone, [port(1, 1)]), 'not-found', /gone/);
      await rejects(t, driver.publish(undefined, [port(1, 1)]), 'not-found');
    });

    check('what is no IPv4 address or port, and what is listed twice, are named', async (t, driver, sandbox) => {
      await rejects(t, driver.balance(sandbox, [{ address: 'x', backends: [] }]), 'invalid-argument', /"x"/);
      const bad = [{ address: '10.9.0.1', backends: ['10.9.0.999'] }];
      await rejects(t, driver.balance(sandbox, bad), 'invalid-argument', /10\.9\.0\.999/);
      await rejects(t, driver.balance(sandbox, [service(1, 1), service(1, 2)]), 'invalid-argument', /10\.9\.0\.1/);
      await rejects(t, driver.publish(sandbox, [{ ...port(1), backends: ['y'] }]), 'invalid-argument', /"y"/);
      await rejects(t, driver.publish(sandbox, [{ ...port(1), port: 70_000 }]), 'invalid-argument', /70000/);
      await rejects(t, driver.publish(sandbox, [port(1, 1), port(1, 2)]), 'invalid-argument', /41801\/tcp/);
    });
  },
);
