import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { recordFields, TlsInfo, versionParameter as version } from '../wire/record-fields.js';
import { InitBody, JoinBody, UnlockBody, UpdateBody } from './swarm-bodies.js';
import { SwarmSpecBody } from './swarm-spec.js';

const { flag } = parameter;
const text = Type.String();

const Swarm = named(
  'SwarmDetails',
  Type.Object({
    ...recordFields,
    Spec: named('SwarmSpec', SwarmSpecBody),
    TLSInfo: TlsInfo,
    RootRotationInProgress: Type.Boolean(),
    DataPathPort: Type.Integer(),
    DefaultAddrPool: Type.Array(text),
    SubnetSize: Type.Integer(),
    JoinTokens: Type.Object({ Worker: text, Manager: text }),
  }),
);

/** What the routes of the swarm itself do. */
export const operations: Operations = {
  'GET /swarm': { summary: 'Describes the swarm', answers: { 200: content.json(Swarm) } },
  'POST /swarm/init': {
    summary: 'Begins a swarm; the answer is the id of this node',
    body: content.json(named('SwarmInitBody', InitBody)),
    answers: { 200: content.json(Type.String()) },
  },
  'POST /swarm/join': {
    summary: 'Joins a swarm',
    body: content.json(named('SwarmJoinBody', JoinBody)),
    answers: { 200: content.none },
  },
  'POST /swarm/leave': {
    summary: 'Leaves the swarm',
    query: { force: flag('also as a manager') },
    answers: { 200: content.none },
  },
  'POST /swarm/update': {
    summary: 'Changes the swarm',
    query: {
      version,
      rotateWorkerToken: flag('a new token for workers'),
      rotateManagerToken: flag('a new token for managers'),
      rotateManagerUnlockKey: flag('a new key that unlocks managers'),
    },
    body: content.json(named('SwarmUpdateBody', UpdateBody)),
    answers: { 200: content.none },
  },
  'GET /swarm/unlockkey': {
    summary: 'Sends the key that unlocks managers',
    answers: { 200: content.json(named('UnlockKey', Type.Object({ UnlockKey: Type.String() }))) },
  },
  'POST /swarm/unlock': {
    summary: 'Unlocks this manager',
    body: content.json(named('SwarmUnlockBody', UnlockBody)),
    answers: { 200: content.none },
  },
};
