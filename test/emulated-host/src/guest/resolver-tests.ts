import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';
import { systemctl } from './systemctl.js';

const settings = '/etc/systemd/resolved.conf.d/guest.conf';
const hostFile = '/etc/resolv.conf';

/** Name servers of hosts whose own file names a resolver on loopback. */
export function resolverTests({ daemon }: DaemonUnderTest): void {
  test('containers have the name servers behind systemd-resolved', needs.resolved, async () => {
    mkdirSync('/etc/systemd/resolved.conf.d', { recursive: true });
    writeFileSync(settings, '[Resolve]\nDNS=192.0.2.53\nDomains=guest.test\n');
    const before = readFileSync(hostFile);
    systemctl('start', 'systemd-resolved.service');
    rmSync(hostFile);
    symlinkSync('/run/systemd/resolve/stub-resolv.conf', hostFile);
    try {
      assert.match(readFileSync(hostFile, 'utf8'), /^nameserver 127\.0\.0\.53$/m);
      const seen = await outputOf(daemon().client, 'cat /etc/resolv.conf', { HostConfig: { NetworkMode: 'bridge' } });
      assert.match(seen, /^nameserver 192\.0\.2\.53$/m);
      assert.doesNotMatch(seen, /127\.0\.0\.53/);
      assert.match(seen, /^search guest\.test$/m);
    } finally {
      systemctl('stop', 'systemd-resolved.service');
      rmSync(hostFile);
      writeFileSync(hostFile, before);
    }
  });
}
