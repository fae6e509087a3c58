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

const refused: readonly (readonly [spec: ServiceSpec, message: RegExp])[] = [
  [{ ...base, Name: '' }, /^Name: /],
  [{ ...base, Name: 'a b' }, /name must be valid as a DNS name component/],
  [{ ...base, Name: 'a'.repeat(64) }, /63 characters/],
  [{ Name: 'web' }, /^TaskTemplate: /],
  [withContainer({ Image: '' }), /image reference must be provided/],
  [withContainer({ Image: 'UPPER CASE' }), /^ContainerSpec.Image: "UPPER CASE"/],
  [withContainer({ Mounts: [{ Type: 'bind', Source: 'relative', Target: '/m' }] }), /Mounts.Source: .*relative/],
  [withContainer({ Mounts: [{ Type: 'npipe', Target: '/m' }] }), /Mounts.Type: "npipe"/],
  [
    withContainer({
      Mounts: [
        { Source: 'v', Target: '/m' },
        { Source: 'w', Target: '/m' },
      ],
    }),
    /duplicate mount point: \/m/,
  ],
  [withContainer({ StopGracePeriod: -1 }), /StopGracePeriod: -1/],
  [withContainer({ Isolation: 'hyperv' }), /Isolation: "hyperv"/],
  [withContainer({ Healthcheck: { Interval: 5 } }), /Healthcheck.Interval/],
  [withContainer({ Secrets: [{ SecretID: 'x' }] }), /ContainerSpec.Secrets: malformed/],
  [withContainer({ Secrets: [{ SecretID: 'x', SecretName: 'x', File: { Name: 'f', UID: 'root' } }] }), /UID: "root"/],
  [withContainer({ Privileges: { CredentialSpec: { File: 'x' } } }), /CredentialSpec/],
  [withTask({ RestartPolicy: { Condition: 'sometimes' } }), /RestartPolicy.Condition: "sometimes"/],
  [withTask({ RestartPolicy: { Delay: -5 } }), /RestartPolicy.Delay: -5/],
  [withTask({ Placement: { Constraints: ['node.role ~ x'] } }), /constraint expected one operator from ==, !=/],
  [withTask({ Placement: { Constraints: ['nonsense==x'] } }), /key 'nonsense'/],
  [withTask({ Placement: { Preferences: [{ Spread: { SpreadDescriptor: 'zone' } }] } }), /SpreadDescriptor: "zone"/],
  [withTask({ Resources: { Limits: { MemoryBytes: 1024 } } }), /Resources.Limits.MemoryBytes/],
  [withTask({ Resources: { Reservations: { NanoCPUs: 1 } } }), /Resources.Reservations.NanoCPUs/],
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
  [{ ...base, EndpointSpec: { Ports: [{ TargetPort: 80, Protocol: 'udp' }] } }, /Protocol: "udp"/],
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
