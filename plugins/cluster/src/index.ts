import {
  CertificateAuthorityDrivers,
  ClusterStoreDrivers,
  LogDrivers,
  NetworkDrivers,
  VolumeDrivers,
} from '@gantry/core/contracts';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { AuthorityReferences } from './authority-references.js';
import { ExternalAuthorities } from './certificates/external-authorities.js';
import { IdentityFile } from './certificates/identity-file.js';
import { IssueCertificate } from './certificates/issue-certificate.js';
import { ManagerIdentity } from './certificates/manager-identity.js';
import { RootCertificates } from './certificates/root-certificates.js';
import { ClusterPlugin } from './cluster-plugin.js';
import { ClusterRoutes } from './cluster-routes.js';
import { AnsweredPaths } from './connections/answered-paths.js';
import { ManagerTransport } from './connections/manager-transport.js';
import { DescribeEngine } from './engine/describe-engine.js';
import { EngineFacts } from './engine/engine-facts.js';
import { ForwardRequests } from './forwarding/forward-requests.js';
import { ForwardedRequests } from './forwarding/forwarded-requests.js';
import { JoinRequests } from './manager/join-requests.js';
import { LeaderWork } from './manager/leader-work.js';
import { ManagerAddresses } from './manager/manager-addresses.js';
import { ManagerEndpoint } from './manager/manager-endpoint.js';
import { NodeHeartbeats } from './manager/node-heartbeats.js';
import { NodeServer } from './manager/node-server.js';
import { RootRotation } from './manager/root-rotation.js';
import { StoreMembers } from './manager/store-members.js';
import { StoreRequests } from './manager/store-requests.js';
import { ManagerWork } from './manager-work.js';
import { MeasureSwarm } from './measure-swarm.js';
import { ChangeRole } from './membership/change-role.js';
import { ConnectedNode } from './membership/connected-node.js';
import { LocalMemberFile } from './membership/local-member-file.js';
import { ManagerStore } from './membership/manager-store.js';
import { MembershipMutex } from './membership/membership-mutex.js';
import { PublishChanges } from './membership/publish-changes.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { UnlockSwarm } from './membership/unlock-swarm.js';
import { NodeRoutes } from './nodes/node-routes.js';
import { RemoveNode } from './nodes/remove-node.js';
import { UpdateNode } from './nodes/update-node.js';
import { UpdateOwnNode } from './nodes/update-own-node.js';
import { GenericResources, parseGenericResources } from './records/generic-resources.js';
import { ObjectUsers } from './sealed/object-users.js';
import { SealedObjects } from './sealed/sealed-objects.js';
import { SealedRoutes } from './sealed/sealed-routes.js';
import { ClusterInfo, ClusterService, NodeConnections } from './service.js';
import { ManagerSessions } from './sessions/manager-sessions.js';
import { NodeSessions } from './sessions/node-sessions.js';
import { ApplyLock } from './swarm/apply-lock.js';
import { CreateSwarm } from './swarm/create-swarm.js';
import { ForceNewCluster } from './swarm/force-new-cluster.js';
import { GetUnlockKey } from './swarm/get-unlock-key.js';
import { InitSwarm } from './swarm/init-swarm.js';
import { InspectSwarm } from './swarm/inspect-swarm.js';
import { JoinSwarm } from './swarm/join-swarm.js';
import { LeaveSwarm } from './swarm/leave-swarm.js';
import { MembershipRoutes } from './swarm/membership-routes.js';
import { NewCluster } from './swarm/new-cluster.js';
import { SwarmRoutes } from './swarm/swarm-routes.js';
import { UpdateSwarm } from './swarm/update-swarm.js';
import { SwarmClusterService } from './swarm-cluster-service.js';
import { SwarmInfo } from './swarm-info.js';
import { SwarmNodeConnections } from './swarm-node-connections.js';

export default definePlugin({
  id: 'cluster',
  provides: [ClusterService, ClusterInfo, NodeConnections],
  requires: [
    EngineApi,
    Clock,
    ClusterStoreDrivers,
    CertificateAuthorityDrivers,
    VolumeDrivers,
    NetworkDrivers,
    LogDrivers,
  ],
  configSchema: Type.Object(
    {
      genericResources: Type.Array(Type.String(), {
        default: [],
        description: 'What tasks may reserve on this node beside processors and memory: KIND=NAME or KIND=COUNT each.',
      }),
    },
    { additionalProperties: false },
  ),
  setup({ config, container }) {
    container.registerValue(GenericResources, new GenericResources(parseGenericResources(config.genericResources)));
    container.registerValue(MembershipMutex, new MembershipMutex());
    container.registerValue(EngineFacts, new EngineFacts());
    container.registerValue(ObjectUsers, new ObjectUsers());
    container.registerValue(AnsweredPaths, new AnsweredPaths());
    container.register(
      RootCertificates,
      RootRotation,
      IdentityFile,
      ExternalAuthorities,
      IssueCertificate,
      ManagerIdentity,
      ManagerEndpoint,
      ConnectedNode,
    );
    container.register(
      NodeSessions,
      NodeHeartbeats,
      JoinRequests,
      ManagerAddresses,
      StoreMembers,
      StoreRequests,
      NodeServer,
    );
    container.register(NewCluster, LeaderWork, ManagerWork, ManagerTransport, ManagerStore, ChangeRole);
    container.register(ForwardRequests, ForwardedRequests);
    container.register(LocalMemberFile, ManagerSessions, SwarmMembership, UnlockSwarm, PublishChanges);
    container.register(DescribeEngine, UpdateOwnNode, UpdateNode, RemoveNode, NodeRoutes);
    container.register(
      InitSwarm,
      CreateSwarm,
      ForceNewCluster,
      JoinSwarm,
      LeaveSwarm,
      InspectSwarm,
      GetUnlockKey,
      UpdateSwarm,
      ApplyLock,
      MembershipRoutes,
      SwarmRoutes,
    );
    container.register(SealedObjects, SealedRoutes, ClusterRoutes);
    container.registerHooks(MeasureSwarm, AuthorityReferences);
    container.provide(ClusterService, SwarmClusterService);
    container.provide(ClusterInfo, SwarmInfo);
    container.provide(NodeConnections, SwarmNodeConnections);
    return ClusterPlugin;
  },
});
