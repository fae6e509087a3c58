import { hostname } from 'node:os';
import { inject, injectable, StopSignal } from '@gantry/core/driver';
import { internal, invalidArgument, notAcceptable, unavailable } from '@gantry/core/errors';
import { fetchRootCertificate, NodeConnection, roleOfCertificate } from '@gantry/lib-cluster-protocol';
import { IdentityFile } from '../certificates/identity-file.js';
import { IssueCertificate } from '../certificates/issue-certificate.js';
import { isTokenOf, parseJoinToken } from '../keys/join-tokens.js';
import { listenErrorOf } from '../membership/listen-error-of.js';
import { LocalMemberFile, type WorkerMember } from '../membership/local-member-file.js';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { hostOf, type RequestedAddresses, resolveAddresses, withPort } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { type JoinAnswer, type JoinMessage, joinPath, rootPath } from '../messages/join-messages.js';

interface JoinRequest extends RequestedAddresses {
  readonly RemoteAddrs?: readonly string[] | undefined;
  readonly JoinToken?: string | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | undefined;
}

/** How long a request waits for the node to be ready, in milliseconds. */
const joinPatience = 20_000;

/** Makes this engine a node of another engine's swarm. */
@injectable()
export class JoinSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(IdentityFile) private readonly identities: IdentityFile,
    @inject(IssueCertificate) private readonly certificates: IssueCertificate,
    @inject(StopSignal) private readonly stopSignal: AbortSignal,
  ) {}

  /**
   * Resolves when the node is ready. Rejects `not-acceptable` in a swarm, `invalid-argument` for a token of another swarm or
   * an old one, and `unavailable` when no manager answers, when a manager could not listen, or when the node is not ready in
   * time: then it goes on in the background.
   */
  async join(request: JoinRequest): Promise<void> {
    await this.mutex.run(async () => {
      if (this.membership.state.status !== 'inactive') {
        throw notAcceptable(
          'This node is already part of a swarm. Use "docker swarm leave" to leave this swarm and join another one.',
        );
      }
      const { JoinToken: token = '', RemoteAddrs: managers = [] } = request;
      if (managers.length === 0)
        throw invalidArgument('RemoteAddrs: at least one address of a manager is needed to join');
      if (token === '') throw invalidArgument('JoinToken: a join token is needed to join');
      parseJoinToken('JoinToken', token);
      resolveAddresses({ AdvertiseAddr: '127.0.0.1', ...withoutEmpty(request) });
      await this.membership.work(await this.#joinFirst(managers.map(withPort), request, token));
    });
    await this.#untilReady();
  }

  /** Asks one manager after the other. */
  async #joinFirst(managers: readonly string[], request: JoinRequest, token: string): Promise<WorkerMember> {
    const errors: unknown[] = [];
    for (const manager of managers) {
      try {
        return await this.#joinAt(manager, request, token);
      } catch (error) {
        errors.push(error);
      }
    }
    throw errors[0] ?? internal('no manager was asked');
  }

  async #joinAt(manager: string, request: JoinRequest, token: string): Promise<WorkerMember> {
    const signal = this.stopSignal;
    const trust = await fetchRootCertificate(manager, rootPath, signal);
    if (!isTokenOf(trust, token)) {
      throw invalidArgument(
        'JoinToken: the root certificate of the manager does not match the fingerprint in the token',
      );
    }
    const connection = await NodeConnection.open(manager, { identity: { trust }, signal });
    try {
      const addresses = resolveAddresses({ AdvertiseAddr: connection.localAddress, ...withoutEmpty(request) });
      const { key, request: certificateRequest } = await this.certificates.createRequest();
      const listenError = await listenErrorOf(addresses.listen);
      const message: JoinMessage = {
        token,
        request: certificateRequest,
        availability: request.Availability ?? 'active',
        address: hostOf(addresses.advertise),
        hostname: hostname(),
        ...(listenError !== undefined && { listenError }),
      };
      const { issued, managers, nodeId } = (await connection.call(joinPath, message, { signal })) as JoinAnswer;
      // Before the file says that this engine is a member: a crash in between leaves an identity that nothing refers to.
      await this.identities.write({ ...issued, key });
      const member: WorkerMember = { role: 'worker', nodeId, addresses, managers };
      await this.file.write(member);
      return member;
    } finally {
      connection.close();
    }
  }

  async #untilReady(): Promise<void> {
    const { certificate = '' } = this.identities.present ?? {};
    const role = certificate === '' ? undefined : roleOfCertificate(certificate);
    const signal = AbortSignal.any([this.stopSignal, AbortSignal.timeout(joinPatience)]);
    const joined = this.membership.joined(role ?? 'worker', signal);
    if (
      await joined.then(
        () => true,
        () => false,
      )
    )
      return;
    throw unavailable(
      'Timeout was reached before node joined. The attempt to join the swarm will continue in the background. ' +
        'Use the "docker info" command to see the current swarm status of your node.',
    );
  }
}

function withoutEmpty({ AdvertiseAddr, DataPathAddr, ListenAddr }: RequestedAddresses): RequestedAddresses {
  return Object.fromEntries(
    Object.entries({ AdvertiseAddr, DataPathAddr, ListenAddr }).filter(([, value]) => (value ?? '') !== ''),
  );
}
