import { configs, secrets } from '@gantry/cluster/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden, internal, invalidArgument, kindOf, messageOf } from '@gantry/core/errors';
import { NetworkService } from '@gantry/networks/service';
import { idAndNameOf } from '../spec/check-file-references.js';
import type { NetworkAttachment, ServiceSpec } from '../spec/service-spec.js';

/** Checks what a specification refers to outside of itself. */
@injectable()
export class CheckReferences {
  constructor(@inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>) {}

  /**
   * The specification with networks by id. @throws EngineError `internal` for an absent network, `forbidden` for that of
   * one node, `invalid-argument` for the ingress network and for an absent secret or config.
   */
  check(store: ClusterStore, spec: ServiceSpec): ServiceSpec {
    checkFiles(store, spec);
    const { Networks: own, TaskTemplate: template = {} } = spec;
    const networks = own ?? template.Networks;
    if (networks === undefined) return spec;
    const resolved = networks.map((attachment) => this.#resolve(attachment));
    return {
      ...spec,
      ...(own !== undefined && { Networks: resolved }),
      TaskTemplate: { ...template, ...(template.Networks !== undefined && { Networks: resolved }) },
    };
  }

  #resolve(attachment: NetworkAttachment): NetworkAttachment {
    const { Target: target = '' } = attachment;
    const network = this.#find(target);
    if (network.scope !== 'swarm' && !network.predefined) {
      throw forbidden(
        `Networks: The network ${target} cannot be used with services. Only networks scoped to the swarm can be used, ` +
          'such as those created with the overlay driver.',
      );
    }
    if (network.ingress) {
      throw invalidArgument(`Networks: Service cannot be explicitly attached to the ingress network "${network.name}"`);
    }
    return { ...attachment, Target: network.id };
  }

  #find(target: string): ReturnType<NetworkService['get']> {
    try {
      return this.networks.get(target);
    } catch (error) {
      throw absent(error);
    }
  }
}

/** As clients know it: the absence of a service itself is the only one that is not found. */
const absent = (cause: unknown): unknown =>
  kindOf(cause) === 'not-found' ? internal(messageOf(cause), { cause }) : cause;

function checkFiles(store: ClusterStore, { TaskTemplate: template }: ServiceSpec): void {
  const { Configs: ownConfigs = [], Secrets: ownSecrets = [] } = template?.ContainerSpec ?? {};
  const references = [
    ...ownSecrets.map((reference) => ({ kind: secrets, field: 'Secrets', ...idAndNameOf(reference) })),
    ...ownConfigs.map((reference) => ({ kind: configs, field: 'Configs', ...idAndNameOf(reference) })),
  ];
  for (const { field, id, kind, name } of references) {
    if (store.get(kind, id) === undefined) {
      throw invalidArgument(`ContainerSpec.${field}: ${kind.name} not found: ${name} (${id})`);
    }
  }
}
