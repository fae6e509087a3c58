import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { firstId, runIn, startContainer, startRemapped } from '@gantry/host';
import { needs, outputOf, slowDeadlines } from './daemon-under-test.js';

/** A daemon of its own, whose containers have the ids of another user. */
export function remappingTests(): void {
  test('with usernsRemap, root of a container is another user on the host', needs.remapping, async () => {
    const releases: (() => Promise<void> | void)[] = [];
    const scope = { teardown: (release: () => Promise<void> | void) => void releases.push(release) };
    try {
      const { client } = await startRemapped(scope, { drivers: { 'runtime/runc': { deadlines: slowDeadlines } } });
      assert.ok((await client.info()).SecurityOptions.includes('userns'));
      const container = await startContainer(client, { HostConfig: { NetworkMode: 'bridge' } });
      const { Pid } = (await container.inspect()).State;
      assert.equal(statSync(`/proc/${Pid}`).uid, firstId);
      const seen = await runIn(container, 'echo mine > /written && stat -c "%u %n" / /etc/hosts /written; id -u');
      assert.equal(seen.output, '0 /\n0 /etc/hosts\n0 /written\n0\n');
      await container.remove({ force: true });
      // As the daemon's own user, which is what `UsernsMode: host` asks for.
      const unmapped = { HostConfig: { UsernsMode: 'host' } };
      assert.equal(await outputOf(client, 'cat /proc/self/uid_map', unmapped), hostMapping());
    } finally {
      for (const release of releases.reverse()) await release();
    }
  });
}

const hostMapping = (): string => readFileSync('/proc/self/uid_map', 'utf8').trimEnd();
