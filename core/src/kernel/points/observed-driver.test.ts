import test from 'ava';
import { LiveDriverSet } from './live-driver-set.js';
import { observedDriver } from './observed-driver.js';

class Driver {
  readonly capabilities = { quota: true };
  readonly #secret = 'private';
  readonly io = { attach: (id: string) => `${id} of ${this.#secret}` };

  mount(id: string): Promise<string> {
    return Promise.resolve(`${id} of ${this.#secret}`);
  }

  fail(): void {
    throw new Error('failed');
  }
}

test('an observer sees the calls of methods and of groups, with their results and errors', async (t) => {
  const calls: string[] = [];
  const set = new LiveDriverSet<Driver>('storage', [], undefined, undefined, (driver, id) =>
    observedDriver(driver, 'storage', id, {
      observe({ kind, id, method }, run) {
        calls.push(`${kind}/${id}.${method}`);
        return run();
      },
    }),
  );
  const remove = set.add('own', new Driver());
  const driver = set.get('own');
  t.is(await driver.mount('a'), 'a of private');
  t.is(driver.io.attach('b'), 'b of private');
  t.throws(() => driver.fail(), { message: 'failed' });
  t.deepEqual(driver.capabilities, { quota: true });
  t.is(driver.mount, driver.mount);
  t.deepEqual(calls, ['storage/own.mount', 'storage/own.io.attach', 'storage/own.fail']);
  remove();
  t.false(set.has('own'));
});
