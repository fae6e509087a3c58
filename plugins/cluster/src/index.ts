import { ClusterStoreDrivers, LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ClusterPlugin } from './cluster-plugin.js';
import { ClusterRoutes } from './cluster-routes.js';
import { LocalMemberFile } from './membership/local-member-file.js';
import { ManagerSessions } from './membership/manager-sessions.js';
import { MembershipMutex } from './membership/membership-mutex.js';
import { PublishChanges } from './membership/publish-changes.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { UnlockSwarm } from './membership/unlock-swarm.js';
import { DescribeEngine } from './nodes/describe-engine.js';
import { EngineLabels } from './nodes/engine-labels.js';
import { NodeRoutes } from './nodes/node-routes.js';
import { RemoveNode } from './nodes/remove-node.js';
import { UpdateNode } from './nodes/update-node.js';
import { UpdateOwnNode } from './nodes/update-own-node.js';
import { ObjectUsers } from './sealed/object-users.js';
import { SealedObjects } from './sealed/sealed-objects.js';
import { SealedRoutes } from './sealed/sealed-routes.js';
import { ClusterInfo, ClusterService } from './service.js';
import { ApplyLock } from './swarm/apply-lock.js';
import { GetUnlockKey } from './swarm/get-unlock-key.js';
import { InitSwarm } from './swarm/init-swarm.js';
import { InspectSwarm } from './swarm/inspect-swarm.js';
import { JoinSwarm } from './swarm/join-swarm.js';
import { LeaveSwarm } from './swarm/leave-swarm.js';
import { MembershipRoutes } from './swarm/membership-routes.js';
import { SwarmRoutes } from './swarm/swarm-routes.js';
import { UpdateSwarm } from './swarm/update-swarm.js';
import { SwarmClusterService } from './swarm-cluster-service.js';
import { SwarmInfo } from './swarm-info.js';

export default definePlugin({
  id: 'cluster',
  provides: [ClusterService, ClusterInfo],
  requires: [EngineApi, ClusterStoreDrivers, VolumeDrivers, NetworkDrivers, LogDrivers],
  configSchema: Type.Object({}, { additionalProperties: false }),
  setup({ container }) {
    container.registerValue(MembershipMutex, new MembershipMutex());
    container.registerValue(EngineLabels, new EngineLabels());
    container.registerValue(ObjectUsers, new ObjectUsers());
    container.register(LocalMemberFile, ManagerSessions, SwarmMembership, UnlockSwarm, PublishChanges);
    container.register(DescribeEngine, UpdateOwnNode, UpdateNode, RemoveNode, NodeRoutes);
    container.register(
      InitSwarm,
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
    container.provide(ClusterService, SwarmClusterService);
    container.provide(ClusterInfo, SwarmInfo);
    return ClusterPlugin;
  },
});
