import test from 'ava';
import { checkServiceSpec } from './check-service-spec.js';
import type { ServiceSpec } from './service-spec.js';

const base: ServiceSpec = { Name: 'web', TaskTemplate: { ContainerSpec: { Image: 'busybox' } } };

const withContainer = (fields: object): ServiceSpec => ({
  ...base,
  TaskTemplate: { ContainerSpec: { Image: 'busybox', ...fields } },
});
const withTask = (fields: object): ServiceSpec => ({ ...base, TaskTemplate: { ...base.TaskTemplate, ...fields } });

test('a specification with a name and an image is valid', (t) => {
  t.notThrows(() => checkServiceSpec(base));
});

test('placeholders that every task can fill are valid, and names of variables are none', (t) => {
  const Mounts = [{ Type: 'volume', Source: '{{.Task.Name}}', Target: '/{{.Node.ID}}' }];
  const Env = ['A={{index .Service.Labels "a"}}', '{{.Odd}}=b'];
  t.notThrows(() => checkServiceSpec(withContainer({ Hostname: '{{.Node.Hostname}}-{{.Task.Slot}}', Env, Mounts })));
});

test('constraints may have spaces around them, capitals in their key, and spaces and signs in their value', (t) => {
  for (const constraint of [
    ' node.id == n1',
    'NODE.ID==n1',
    'node.labels._a.b==[a-b]+c*(n|b)/',
    'node.hostname==a b',
  ]) {
    t.notThrows(() => checkServiceSpec(withTask({ Placement: { Constraints: [constraint] } })), constraint);
  }
});

const refused: readonly (readonly [spec: ServiceSpec, message: RegExp])[] = [
  [{ ...base, Name: '' }, /^Name: /],
  [{ ...base, Name: 'a b' }, /name must be valid as a DNS name component/],
  [{ ...base, Name: 'a'.repeat(64) }, /63 characters/],
  [{ Name: 'web' }, /^TaskTemplate: /],
  [withContainer({ Image: '' }), /image reference must be provided/],
  [withContainer({ Image: 'UPPER CASE' }), /^ContainerSpec.Image: "UPPER CASE"/],
  [withContainer({ Mounts: [{ Type: 'bind', Source: 'relative', Target: '/m' }] }), /Mounts.Source: .*relative/],
  [withContainer({ Mounts: [{ Type: 'npipe', Target: '/m' }] }), /Mounts.Type: "npipe"/],
  [withContainer({ Mounts: [{ Type: 'cluster', Source: 'v', Target: '/m' }] }), /Mounts.Type: "cluster"/],
  [
    withContainer({ Mounts: [{ Type: 'volume', Target: '/m', ClusterOptions: {} }] }),
    /^ContainerSpec.Mounts.ClusterOptions: \{\} does not apply to mounts of the type volume$/,
  ],
  [
    withContainer({ Mounts: [{ Type: 'bind', Source: '/a', Target: '/m', ImageOptions: { Subpath: 'x' } }] }),
    /^ContainerSpec.Mounts.ImageOptions: \{"Subpath":"x"\} does not apply to mounts of the type bind$/,
  ],
  [
    withContainer({ Mounts: [{ Type: 'bind', Source: '/a', Target: '/m', BindOptions: { Propagation: 'odd' } }] }),
    /^ContainerSpec.Mounts.BindOptions.Propagation: "odd"/,
  ],
  [withContainer({ Mounts: [{ Target: '/m', Consistency: 'odd' }] }), /^ContainerSpec.Mounts.Consistency: "odd"/],
  [
    withContainer({
      Mounts: [
        { Source: 'v', Target: '/m' },
        { Source: 'w', Target: '/m' },
      ],
    }),
    /duplicate mount point: \/m/,
  ],
  [withContainer({ Hostname: '{{.Odd}}' }), /^ContainerSpec.Hostname: .*\{\{\.Odd\}\}/],
  [withContainer({ Env: ['A={{.Service.Odd}}'] }), /^ContainerSpec.Env: .*can't evaluate field Odd/],
  [withContainer({ Mounts: [{ Type: 'volume', Source: '{{.Odd}}', Target: '/m' }] }), /^ContainerSpec.Mounts.Source: /],
  [withContainer({ Mounts: [{ Type: 'volume', Target: '/{{.Odd}}' }] }), /^ContainerSpec.Mounts.Target: /],
  [
    withContainer({ Mounts: [{ Target: '/m', VolumeOptions: { Labels: { a: '{{.Odd}}' } } }] }),
    /^ContainerSpec.Mounts.VolumeOptions.Labels: /,
  ],
  [
    withContainer({ Mounts: [{ Target: '/m', VolumeOptions: { DriverConfig: { Options: { a: '{{.Odd}}' } } } }] }),
    /^ContainerSpec.Mounts.VolumeOptions.DriverConfig.Options: /,
  ],
  [withContainer({ StopGracePeriod: -1 }), /StopGracePeriod: -1/],
  [withContainer({ Isolation: 'hyperv' }), /Isolation: "hyperv"/],
  [withContainer({ Healthcheck: { Interval: 5 } }), /Healthcheck.Interval/],
  [withContainer({ Secrets: [{ SecretID: 'x' }] }), /ContainerSpec.Secrets: malformed/],
  [withContainer({ Secrets: [{ SecretID: 'x', SecretName: 'x', File: { Name: 'f', UID: 'root' } }] }), /UID: "root"/],
  [withContainer({ Privileges: { CredentialSpec: { File: 'x' } } }), /CredentialSpec/],
  [withContainer({ Privileges: { Seccomp: { Mode: 'odd' } } }), /Seccomp.Mode: "odd"/],
  [withContainer({ Privileges: { Seccomp: { Mode: 'custom' } } }), /Seccomp.Profile: "" is not JSON in base64/],
  [withContainer({ Privileges: { Seccomp: { Mode: 'custom', Profile: 'e25vcGU=' } } }), /Profile: "e25vcGU=" is not/],
  [withContainer({ Privileges: { Seccomp: { Profile: 'e30=' } } }), /Seccomp.Profile: only applies to the mode custom/],
  [
    withTask({ Resources: { Limits: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: 1 } }] } } }),
    /^Resources.Limits.GenericResources: /,
  ],
  [withTask({ RestartPolicy: { Condition: 'sometimes' } }), /RestartPolicy.Condition: "sometimes"/],
  [withTask({ RestartPolicy: { Delay: -5 } }), /RestartPolicy.Delay: -5/],
  [withTask({ Placement: { Constraints: ['node.role ~ x'] } }), /constraint expected one operator from ==, !=/],
  [withTask({ Placement: { Constraints: ['nonsense==x'] } }), /key 'nonsense'/],
  ...['', ' ', 'nodeabc', '1node==a2', 'no de==x', 'no*de==x', 'no$de==x', '==x', 'node.id==', 'node.id== '].map(
    (constraint) => [withTask({ Placement: { Constraints: [constraint] } }), /^Placement.Constraints: /] as const,
  ),
  [withTask({ Placement: { Constraints: ['node.ip==10.1'] } }), /'10.1' is neither an address nor a subnet/],
  [withTask({ Placement: { Constraints: ['node.ip==10.1.0.0/33'] } }), /neither an address nor a subnet/],
  [
    withTask({
      Resources: { Reservations: { GenericResources: [{ NamedResourceSpec: { Kind: 'GPU', Value: 'GPU-1' } }] } },
    }),
    /^Resources.Reservations.GenericResources: invalid argument for resource GPU/,
  ],
  [
    withTask({
      Resources: { Reservations: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'GPU', Value: -1 } }] } },
    }),
    /^Resources.Reservations.GenericResources: GPU: -1 must not be negative/,
  ],
  [
    withTask({ Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'zone' } }] } }),
    /SpreadDescriptor: "zone" is no/,
  ],
  [withTask({ Resources: { Limits: { MemoryBytes: 1024 } } }), /Resources.Limits.MemoryBytes/],
  [withTask({ Resources: { Reservations: { NanoCPUs: 1 } } }), /Resources.Reservations.NanoCPUs/],
  [{ ...base, Networks: [{ Target: '' }] }, /^Networks: Target must not be empty/],
  [withTask({ Runtime: 'plugin' }), /Runtime: "plugin"/],
  [{ ...base, Mode: { Global: {}, Replicated: {} } }, /^Mode: must specify only one mode/],
  [{ ...base, Mode: { Replicated: { Replicas: -1 } } }, /Replicas: -1/],
  [{ ...base, Mode: { GlobalJob: {} }, UpdateConfig: {} }, /^UpdateConfig: /],
  [{ ...base, UpdateConfig: { FailureAction: 'nosuch' } }, /UpdateConfig.FailureAction: "nosuch"/],
  [{ ...base, RollbackConfig: { FailureAction: 'rollback' } }, /RollbackConfig.FailureAction: "rollback"/],
  [{ ...base, UpdateConfig: { Order: 'random' } }, /UpdateConfig.Order: "random"/],
  [{ ...base, UpdateConfig: { MaxFailureRatio: 1.5 } }, /MaxFailureRatio: 1.5/],
  [{ ...base, EndpointSpec: { Mode: 'dnsrr', Ports: [{ TargetPort: 80 }] } }, /dnsrr/],
  [{ ...base, EndpointSpec: { Ports: [{ TargetPort: 0 }] } }, /TargetPort: 0/],
  [{ ...base, EndpointSpec: { Ports: [{ TargetPort: 80, Protocol: 'dccp' }] } }, /Protocol.*"dccp"/],
  [
    {
      ...base,
      EndpointSpec: {
        Ports: [
          { TargetPort: 80, PublishedPort: 1 },
          { TargetPort: 81, PublishedPort: 1 },
        ],
      },
    },
    /duplicate published ports provided: 1\/tcp/,
  ],
];

for (const [spec, message] of refused) {
  test(`refused: ${JSON.stringify(spec)}`, (t) => {
    t.throws(() => checkServiceSpec(spec), { message });
  });
}
