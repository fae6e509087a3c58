import { timingSafeEqual } from 'node:crypto';
import { createRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import type { NodeRequest, NodeRole } from '@gantry/lib-cluster-protocol';
import { IdentityFile } from '../certificates/identity-file.js';
import { type Applicant, IssueCertificate } from '../certificates/issue-certificate.js';
import type { IssuedCertificate } from '../certificates/issued-certificate.js';
import { AnsweredPaths } from '../connections/answered-paths.js';
import { unseal } from '../keys/seal.js';
import { ConnectedNode } from '../membership/connected-node.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import {
  type ForwardedJoin,
  forwardedJoinPath,
  type JoinAnswer,
  type JoinMessage,
  joinPath,
  parseForwardedJoin,
  parseJoinMessage,
  renewPath,
  rootPath,
} from '../messages/join-messages.js';
import { issuingRoot } from '../records/cluster-kind.js';
import { newId } from '../records/new-id.js';
import { type Node, nodes, presentRole } from '../records/node-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import { remoteManagers } from '../records/remote-managers.js';
import type { OpenSession } from '../sessions/manager-sessions.js';

/** Lets other nodes join, and renews their certificates. */
@injectable()
export class JoinRequests {
  constructor(
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(IssueCertificate) private readonly certificates: IssueCertificate,
    @inject(IdentityFile) private readonly identities: IdentityFile,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
  ) {}

  start(): void {
    this.paths.add(rootPath, { type: 'call', access: 'anyone', answer: () => this.#root() });
    this.paths.add(joinPath, { type: 'call', access: 'anyone', answer: (request) => this.#joinAnywhere(request) });
    this.paths.add(forwardedJoinPath, {
      type: 'call',
      access: 'managers',
      answer: ({ body }) => this.#join(parseForwardedJoin(body)),
    });
    this.paths.add(renewPath, {
      type: 'call',
      access: 'nodes',
      acceptsExpired: true,
      answer: (request) => this.#renew(request),
    });
  }

  /** The one that join tokens name: the leader is the first to know of another one. */
  async #root(): Promise<string> {
    const { state } = this.membership;
    if (state.status === 'active') return presentCluster(state.session.store).value.rootCa.certificate;
    const { link } = this.node;
    if (link?.isConnected) return String(await link.call(rootPath, null));
    const { present } = this.identities;
    if (present === undefined) throw unavailable('this manager has no certificate yet');
    return present.trust;
  }

  /** A manager that does not lead asks the leader, and waits for one while there is none. */
  async #joinAnywhere({ body, remoteAddress }: NodeRequest): Promise<JoinAnswer> {
    const join = { message: parseJoinMessage(body), remoteAddress };
    await this.membership.settled();
    const { link } = this.node;
    if (this.membership.state.status === 'active' || link === undefined) return this.#join(join);
    return (await link.call(forwardedJoinPath, join)) as JoinAnswer;
  }

  async #join({ message, remoteAddress }: ForwardedJoin): Promise<JoinAnswer> {
    const session = this.membership.present();
    const role = roleOf(session, message.token);
    if (role === 'manager' && message.listenError !== undefined) throw unavailable(message.listenError);
    const nodeId = newId();
    const issued = await this.#issuePresent(session, { nodeId, role, request: message.request });
    await session.store.transact([createRecord(nodes, nodeId, newNode(message, role, remoteAddress))]);
    return { nodeId, issued, managers: remoteManagers(session.store) };
  }

  /** A rotation that begins and ends meanwhile would not wait for a node that is not listed yet. */
  async #issuePresent(session: OpenSession, applicant: Applicant): Promise<IssuedCertificate> {
    for (;;) {
      const issued = await this.certificates.issue(session, applicant);
      const { publicKey } = issuingRoot(presentCluster(session.store).value.rootCa);
      if (issued.issuer.publicKey === publicKey) return issued;
    }
  }

  /** As long as the node is listed, however long it was away. */
  async #renew({ body, peer }: NodeRequest) {
    const session = this.membership.present();
    const nodeId = peer?.nodeId ?? '';
    const node = session.store.get(nodes, nodeId);
    if (node === undefined) throw notFound(`node ${nodeId} is not part of the swarm`);
    return this.certificates.issue(session, { nodeId, role: presentRole(node.value), request: String(body) });
  }
}

/** @throws EngineError `invalid-argument` for a token that is not, or no longer, one of the swarm. */
function roleOf({ key, store }: OpenSession, token: string): NodeRole {
  const { joinTokens } = presentCluster(store).value;
  const role = (['worker', 'manager'] as const).find((candidate) => {
    const present = unseal(key, joinTokens[candidate]);
    const given = Buffer.from(token);
    return present.length === given.length && timingSafeEqual(present, given);
  });
  if (role === undefined) throw invalidArgument('A valid join token is necessary to join this cluster');
  return role;
}

/** Of a node that has not been connected yet. */
const newNode = ({ address, availability, hostname }: JoinMessage, role: NodeRole, remoteAddress: string): Node => ({
  spec: { Labels: {}, Role: role, Availability: availability },
  description: {
    Hostname: hostname,
    Platform: { Architecture: '', OS: '' },
    Resources: { NanoCPUs: 0, MemoryBytes: 0 },
    Engine: { EngineVersion: '', Labels: {}, Plugins: [] },
  },
  status: { state: 'unknown', address: address === '' ? remoteAddress : address },
});
