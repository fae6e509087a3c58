import { invalidArgument } from '@gantry/core/errors';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { isSameCertificate } from '../certificates/is-same-certificate.js';
import type { WantedRoot } from '../certificates/root-certificates.js';
import type { SigningRoot, SwarmSpec } from '../records/cluster-kind.js';

const optional = <T extends TSchema>(properties: Record<string, T>) => Type.Optional(Type.Object(properties));
const integer = Type.Optional(Type.Integer());
const map = Type.Optional(Type.Record(Type.String(), Type.String()));

/** Spec: the `Spec` of a swarm, as clients send it. */
export const SwarmSpecBody = Type.Object({
  Name: Type.Optional(Type.String()),
  Labels: map,
  Orchestration: optional({ TaskHistoryRetentionLimit: integer }),
  Raft: optional({
    SnapshotInterval: integer,
    KeepOldSnapshots: integer,
    LogEntriesForSlowFollowers: integer,
    ElectionTick: integer,
    HeartbeatTick: integer,
  }),
  Dispatcher: optional({ HeartbeatPeriod: integer }),
  CAConfig: Type.Optional(
    Type.Object({
      NodeCertExpiry: integer,
      ExternalCAs: Type.Optional(
        Type.Array(
          Type.Object({
            Protocol: Type.Optional(Type.String()),
            URL: Type.Optional(Type.String()),
            Options: map,
            CACert: Type.Optional(Type.String()),
          }),
        ),
      ),
      SigningCACert: Type.Optional(Type.String()),
      SigningCAKey: Type.Optional(Type.String()),
      ForceRotate: integer,
    }),
  ),
  TaskDefaults: Type.Optional(
    Type.Object({ LogDriver: Type.Optional(Type.Object({ Name: Type.Optional(Type.String()), Options: map })) }),
  ),
  EncryptionConfig: optional({ AutoLockManagers: Type.Optional(Type.Boolean()) }),
});

export type SwarmSpecBody = Static<typeof SwarmSpecBody>;

const second = 1e9;
const hour = 3600 * second;

const defaults: SwarmSpec = {
  Name: 'default',
  Labels: {},
  Orchestration: { TaskHistoryRetentionLimit: 5 },
  Raft: {
    SnapshotInterval: 10_000,
    KeepOldSnapshots: 0,
    LogEntriesForSlowFollowers: 500,
    ElectionTick: 10,
    HeartbeatTick: 1,
  },
  Dispatcher: { HeartbeatPeriod: 5 * second },
  CAConfig: { NodeCertExpiry: 90 * 24 * hour },
  TaskDefaults: {},
  EncryptionConfig: { AutoLockManagers: false },
};

/**
 * A swarm's specification of what a client sent: what is left out, or 0 where 0 has no meaning, is as by default.
 * @throws EngineError `invalid-argument` naming the field and the value.
 */
export function parseSwarmSpec(body: SwarmSpecBody = {}): SwarmSpec {
  const { Name, Labels = {}, Orchestration, Raft, Dispatcher, CAConfig, TaskDefaults, EncryptionConfig } = body;
  if (Name !== undefined && Name !== '' && Name !== 'default') {
    throw invalidArgument(`Name: "${Name}": the name of a swarm is "default"`);
  }
  const raft = { ...defaults.Raft };
  for (const key of Object.keys(raft) as (keyof typeof raft)[]) {
    const value = atLeast(`Raft.${key}`, Raft?.[key], 0);
    if (value !== undefined && value !== 0) raft[key] = value;
  }
  if (raft.ElectionTick <= raft.HeartbeatTick) {
    throw invalidArgument(
      `Raft.ElectionTick: ${raft.ElectionTick} is not greater than Raft.HeartbeatTick, ${raft.HeartbeatTick}`,
    );
  }
  // Negative: every task is kept.
  const history = Orchestration?.TaskHistoryRetentionLimit;
  const heartbeat = atLeast('Dispatcher.HeartbeatPeriod', Dispatcher?.HeartbeatPeriod, 0);
  return {
    ...defaults,
    Labels,
    Orchestration: { TaskHistoryRetentionLimit: history ?? defaults.Orchestration.TaskHistoryRetentionLimit },
    Raft: raft,
    Dispatcher: {
      HeartbeatPeriod: heartbeat === undefined || heartbeat === 0 ? defaults.Dispatcher.HeartbeatPeriod : heartbeat,
    },
    CAConfig: parseCaConfig(CAConfig),
    TaskDefaults: parseTaskDefaults(TaskDefaults),
    EncryptionConfig: { AutoLockManagers: EncryptionConfig?.AutoLockManagers ?? false },
  };
}

function parseCaConfig(config: SwarmSpecBody['CAConfig'] = {}): SwarmSpec['CAConfig'] {
  const { NodeCertExpiry: expiry = 0, ExternalCAs, ForceRotate = 0 } = config;
  if (expiry !== 0 && expiry < hour) {
    throw invalidArgument(`CAConfig.NodeCertExpiry: ${expiry} is less than an hour, ${hour} nanoseconds`);
  }
  const external = (ExternalCAs ?? []).map(({ CACert = '', Protocol = 'cfssl', URL = '', Options }, index) => {
    if (Protocol !== 'cfssl') {
      throw invalidArgument(`CAConfig.ExternalCAs[${index}].Protocol: "${Protocol}" is not supported, only cfssl`);
    }
    if (!/^https:\/\//.test(URL))
      throw invalidArgument(`CAConfig.ExternalCAs[${index}].URL: "${URL}" is not an https URL`);
    return { Protocol, URL, ...(Options !== undefined && { Options }), ...(CACert !== '' && { CACert }) };
  });
  return {
    NodeCertExpiry: expiry === 0 ? defaults.CAConfig.NodeCertExpiry : expiry,
    ...(external.length > 0 && { ExternalCAs: external }),
    ...(ForceRotate !== 0 && { ForceRotate }),
  };
}

/**
 * The root certificate that a swarm is to have: what a client sends of it is not part of the specification that is shown.
 * @throws EngineError `invalid-argument` naming the field.
 */
export function parseWantedRoot({ CAConfig = {} }: SwarmSpecBody = {}): WantedRoot {
  const { SigningCACert: certificate = '', SigningCAKey: key = '' } = CAConfig;
  const forceRotate = atLeast('CAConfig.ForceRotate', CAConfig.ForceRotate, 0) ?? 0;
  if (certificate === '' && key === '') return { forceRotate };
  if (certificate === '') {
    throw invalidArgument(
      'CAConfig.SigningCAKey: if a signing CA key is provided, the signing CA cert must also be provided',
    );
  }
  const { ExternalCAs = [] } = CAConfig;
  if (key === '' && !ExternalCAs.some(({ CACert = '' }) => isSameCertificate(CACert, certificate))) {
    throw invalidArgument(
      'CAConfig.SigningCACert: without CAConfig.SigningCAKey there has to be one of CAConfig.ExternalCAs with this CACert',
    );
  }
  return { given: { certificate, key: key === '' ? undefined : key }, forceRotate };
}

function parseTaskDefaults({ LogDriver }: NonNullable<SwarmSpecBody['TaskDefaults']> = {}): SwarmSpec['TaskDefaults'] {
  if (LogDriver === undefined) return {};
  const { Name = '', Options } = LogDriver;
  if (Name === '') throw invalidArgument('TaskDefaults.LogDriver.Name: "" is not a log driver such as json-file');
  return { LogDriver: { Name, ...(Options !== undefined && { Options }) } };
}

function atLeast(field: string, value: number | undefined, least: number): number | undefined {
  if (value !== undefined && value < least) throw invalidArgument(`${field}: ${value} is less than ${least}`);
  return value;
}

/** The fields that a swarm keeps and shows, and that have no effect here, where they differ from the default. */
export function fieldsWithoutEffect(spec: SwarmSpec, root: Pick<SigningRoot, 'key'>): readonly string[] {
  const raft = Object.entries(spec.Raft).filter(
    ([key, value]) => value !== defaults.Raft[key as keyof SwarmSpec['Raft']],
  );
  return [
    ...raft.map(([key]) => `Raft.${key}`),
    ...(spec.CAConfig.ExternalCAs === undefined || root.key === undefined ? [] : ['CAConfig.ExternalCAs']),
  ];
}
