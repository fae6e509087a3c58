import { Type } from '@sinclair/typebox';
import { SwarmSpecBody } from './swarm-spec.js';

const text = Type.Optional(Type.String());
const availability = Type.Optional(
  Type.Union([Type.Literal('active'), Type.Literal('pause'), Type.Literal('drain'), Type.Literal('')]),
);

/** Spec: POST /swarm/init. */
export const InitBody = Type.Object({
  ListenAddr: text,
  AdvertiseAddr: text,
  DataPathAddr: text,
  DataPathPort: Type.Optional(Type.Integer()),
  DefaultAddrPool: Type.Optional(Type.Array(Type.String())),
  SubnetSize: Type.Optional(Type.Integer()),
  ForceNewCluster: Type.Optional(Type.Boolean()),
  Availability: availability,
  Spec: Type.Optional(SwarmSpecBody),
});

/** Spec: POST /swarm/join. */
export const JoinBody = Type.Object({
  ListenAddr: text,
  AdvertiseAddr: text,
  DataPathAddr: text,
  RemoteAddrs: Type.Optional(Type.Array(Type.String())),
  JoinToken: text,
  Availability: availability,
});

/** Spec: POST /swarm/unlock. */
export const UnlockBody = Type.Object({ UnlockKey: Type.String() });

/** Spec: POST /swarm/update. */
export const UpdateBody = Type.Composite([
  SwarmSpecBody,
  Type.Object({
    JoinTokens: Type.Optional(
      Type.Object({ Worker: Type.Optional(Type.String()), Manager: Type.Optional(Type.String()) }),
    ),
  }),
]);
