import path from 'node:path';
import test from 'ava';
import { programs, startClientHost } from '../testing/client-host.js';
import { clients } from '../testing/debian.js';

test("Ansible's community.docker manages containers, networks, volumes and images, and changes nothing twice", async (t) => {
  const host = await startClientHost(t);
  const output = await host.succeed(
    'ansible-playbook',
    [
      '--inventory',
      'localhost,',
      '--extra-vars',
      `directory=${host.daemon.directory}`,
      path.join(programs, 'playbook.yml'),
    ],
    {
      environment: {
        ANSIBLE_COLLECTIONS_PATH: (await clients()).collections,
        ANSIBLE_LOCAL_TEMP: path.join(host.daemon.directory, 'ansible'),
        ANSIBLE_REMOTE_TEMP: path.join(host.daemon.directory, 'ansible'),
        ANSIBLE_LOCALHOST_WARNING: 'false',
      },
    },
  );
  t.regex(output, /ok=\d+ +changed=\d+ +unreachable=0 +failed=0 +skipped=0/);
});
