// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type ServiceCreated = {
  readonly ID: string;
  readonly Warnings?: readonly string[] | null | undefined;
};

export type ServiceDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: ServiceSpec;
  readonly PreviousSpec?: ServiceSpec | undefined;
  readonly Endpoint: {
    readonly Spec: {
      readonly Mode?: string | undefined;
      readonly Ports?: readonly {
        readonly Name?: string | undefined;
        readonly Protocol?: string | undefined;
        readonly TargetPort?: number | undefined;
        readonly PublishedPort?: number | undefined;
        readonly PublishMode?: string | undefined;
      }[] | undefined;
    };
    readonly Ports?: readonly {
      readonly Name?: string | undefined;
      readonly Protocol?: string | undefined;
      readonly TargetPort?: number | undefined;
      readonly PublishedPort?: number | undefined;
      readonly PublishMode?: string | undefined;
    }[] | undefined;
    readonly VirtualIPs?: readonly {
      readonly NetworkID: string;
      readonly Addr: string;
    }[] | undefined;
  };
  readonly UpdateStatus?: {
    readonly State: string;
    readonly StartedAt: string;
    readonly CompletedAt?: string | undefined;
    readonly Message: string;
  } | undefined;
  readonly JobStatus?: {
    readonly JobIteration: {
      readonly Index: number;
    };
    readonly LastExecution: string;
  } | undefined;
  readonly ServiceStatus?: {
    readonly RunningTasks: number;
    readonly DesiredTasks: number;
    readonly CompletedTasks: number;
  } | undefined;
};

export type ServiceSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly TaskTemplate?: {
    readonly ContainerSpec?: {
      readonly Image?: string | undefined;
      readonly Labels?: Readonly<Record<string, string>> | undefined;
      readonly Command?: readonly string[] | undefined;
      readonly Args?: readonly string[] | undefined;
      readonly Hostname?: string | undefined;
      readonly Env?: readonly string[] | undefined;
      readonly Dir?: string | undefined;
      readonly User?: string | undefined;
      readonly Groups?: readonly string[] | undefined;
      readonly Privileges?: {
        readonly CredentialSpec?: {
          readonly Config?: string | undefined;
          readonly File?: string | undefined;
          readonly Registry?: string | undefined;
        } | undefined;
        readonly SELinuxContext?: {
          readonly Disable?: boolean | undefined;
          readonly User?: string | undefined;
          readonly Role?: string | undefined;
          readonly Type?: string | undefined;
          readonly Level?: string | undefined;
        } | undefined;
        readonly Seccomp?: {
          readonly Mode?: string | undefined;
          readonly Profile?: string | undefined;
        } | undefined;
        readonly AppArmor?: {
          readonly Mode?: string | undefined;
        } | undefined;
        readonly NoNewPrivileges?: boolean | undefined;
      } | undefined;
      readonly Init?: boolean | undefined;
      readonly StopSignal?: string | undefined;
      readonly TTY?: boolean | undefined;
      readonly OpenStdin?: boolean | undefined;
      readonly ReadOnly?: boolean | undefined;
      readonly Mounts?: readonly {
        readonly Type?: string | undefined;
        readonly Source?: string | undefined;
        readonly Target?: string | undefined;
        readonly ReadOnly?: boolean | undefined;
        readonly Consistency?: string | undefined;
        readonly BindOptions?: {
          readonly Propagation?: string | undefined;
          readonly NonRecursive?: boolean | undefined;
          readonly CreateMountpoint?: boolean | undefined;
          readonly ReadOnlyNonRecursive?: boolean | undefined;
          readonly ReadOnlyForceRecursive?: boolean | undefined;
        } | undefined;
        readonly VolumeOptions?: {
          readonly NoCopy?: boolean | undefined;
          readonly Subpath?: string | undefined;
          readonly Labels?: Readonly<Record<string, string>> | undefined;
          readonly DriverConfig?: {
            readonly Name?: string | undefined;
            readonly Options?: Readonly<Record<string, string>> | undefined;
          } | undefined;
        } | undefined;
        readonly TmpfsOptions?: {
          readonly SizeBytes?: number | undefined;
          readonly Mode?: number | undefined;
          readonly Options?: readonly (readonly string[])[] | undefined;
        } | undefined;
        readonly ClusterOptions?: Readonly<Record<string, unknown>> | undefined;
        readonly ImageOptions?: {
          readonly Subpath?: string | undefined;
        } | undefined;
      }[] | undefined;
      readonly StopGracePeriod?: number | undefined;
      readonly Healthcheck?: {
        readonly Test?: readonly string[] | undefined;
        readonly Interval?: number | undefined;
        readonly Timeout?: number | undefined;
        readonly StartPeriod?: number | undefined;
        readonly StartInterval?: number | undefined;
        readonly Retries?: number | undefined;
      } | undefined;
      readonly Hosts?: readonly string[] | undefined;
      readonly DNSConfig?: {
        readonly Nameservers?: readonly string[] | undefined;
        readonly Search?: readonly string[] | undefined;
        readonly Options?: readonly string[] | undefined;
      } | undefined;
      readonly Secrets?: readonly {
        readonly SecretID?: string | undefined;
        readonly SecretName?: string | undefined;
        readonly File?: {
          readonly Name?: string | undefined;
          readonly UID?: string | undefined;
          readonly GID?: string | undefined;
          readonly Mode?: number | undefined;
        } | undefined;
      }[] | undefined;
      readonly Configs?: readonly {
        readonly ConfigID?: string | undefined;
        readonly ConfigName?: string | undefined;
        readonly File?: {
          readonly Name?: string | undefined;
          readonly UID?: string | undefined;
          readonly GID?: string | undefined;
          readonly Mode?: number | undefined;
        } | undefined;
        readonly Runtime?: Readonly<Record<string, unknown>> | undefined;
      }[] | undefined;
      readonly Isolation?: string | undefined;
      readonly Sysctls?: Readonly<Record<string, string>> | undefined;
      readonly CapabilityAdd?: readonly string[] | undefined;
      readonly CapabilityDrop?: readonly string[] | undefined;
      readonly Ulimits?: readonly {
        readonly Name?: string | undefined;
        readonly Soft?: number | undefined;
        readonly Hard?: number | undefined;
      }[] | undefined;
      readonly OomScoreAdj?: number | undefined;
    } | undefined;
    readonly PluginSpec?: Readonly<Record<string, unknown>> | undefined;
    readonly NetworkAttachmentSpec?: Readonly<Record<string, unknown>> | undefined;
    readonly Resources?: {
      readonly Limits?: {
        readonly NanoCPUs?: number | undefined;
        readonly MemoryBytes?: number | undefined;
        readonly Pids?: number | undefined;
        readonly GenericResources?: readonly {
          readonly NamedResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: string | undefined;
          } | undefined;
          readonly DiscreteResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: number | undefined;
          } | undefined;
        }[] | undefined;
      } | undefined;
      readonly Reservations?: {
        readonly NanoCPUs?: number | undefined;
        readonly MemoryBytes?: number | undefined;
        readonly GenericResources?: readonly {
          readonly NamedResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: string | undefined;
          } | undefined;
          readonly DiscreteResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: number | undefined;
          } | undefined;
        }[] | undefined;
      } | undefined;
    } | undefined;
    readonly RestartPolicy?: {
      readonly Condition?: string | undefined;
      readonly Delay?: number | undefined;
      readonly MaxAttempts?: number | undefined;
      readonly Window?: number | undefined;
    } | undefined;
    readonly Placement?: {
      readonly Constraints?: readonly string[] | undefined;
      readonly Preferences?: readonly {
        readonly Spread?: {
          readonly SpreadDescriptor?: string | undefined;
        } | undefined;
      }[] | undefined;
      readonly MaxReplicas?: number | undefined;
      readonly Platforms?: readonly {
        readonly Architecture?: string | undefined;
        readonly OS?: string | undefined;
      }[] | undefined;
    } | undefined;
    readonly Networks?: readonly {
      readonly Target?: string | undefined;
      readonly Aliases?: readonly string[] | undefined;
      readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
    }[] | undefined;
    readonly LogDriver?: {
      readonly Name?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    } | undefined;
    readonly ForceUpdate?: number | undefined;
    readonly Runtime?: string | undefined;
  } | undefined;
  readonly Mode?: {
    readonly Replicated?: {
      readonly Replicas?: number | undefined;
    } | undefined;
    readonly Global?: Readonly<Record<string, unknown>> | undefined;
    readonly ReplicatedJob?: {
      readonly MaxConcurrent?: number | undefined;
      readonly TotalCompletions?: number | undefined;
    } | undefined;
    readonly GlobalJob?: Readonly<Record<string, unknown>> | undefined;
  } | undefined;
  readonly UpdateConfig?: {
    readonly Parallelism?: number | undefined;
    readonly Delay?: number | undefined;
    readonly FailureAction?: string | undefined;
    readonly Monitor?: number | undefined;
    readonly MaxFailureRatio?: number | undefined;
    readonly Order?: string | undefined;
  } | undefined;
  readonly RollbackConfig?: {
    readonly Parallelism?: number | undefined;
    readonly Delay?: number | undefined;
    readonly FailureAction?: string | undefined;
    readonly Monitor?: number | undefined;
    readonly MaxFailureRatio?: number | undefined;
    readonly Order?: string | undefined;
  } | undefined;
  readonly Networks?: readonly {
    readonly Target?: string | undefined;
    readonly Aliases?: readonly string[] | undefined;
    readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
  }[] | undefined;
  readonly EndpointSpec?: {
    readonly Mode?: string | undefined;
    readonly Ports?: readonly {
      readonly Name?: string | undefined;
      readonly Protocol?: string | undefined;
      readonly TargetPort?: number | undefined;
      readonly PublishedPort?: number | undefined;
      readonly PublishMode?: string | undefined;
    }[] | undefined;
  } | undefined;
};

export type ServiceUpdated = {
  readonly Warnings?: readonly string[] | null | undefined;
};

export type TaskDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Spec: TaskSpec;
  readonly ServiceID: string;
  readonly Slot?: number | undefined;
  readonly NodeID?: string | undefined;
  readonly Status: {
    readonly Timestamp: string;
    readonly State: string;
    readonly Message: string;
    readonly Err?: string | undefined;
    readonly ContainerStatus?: {
      readonly ContainerID: string;
      readonly PID: number;
      readonly ExitCode: number;
    } | undefined;
    readonly PortStatus: {
      readonly Ports: readonly {
        readonly Name?: string | undefined;
        readonly Protocol?: string | undefined;
        readonly TargetPort?: number | undefined;
        readonly PublishedPort?: number | undefined;
        readonly PublishMode?: string | undefined;
      }[];
    };
  };
  readonly DesiredState: string;
  readonly NetworksAttachments?: readonly {
    readonly Network: {
      readonly ID: string;
      readonly Version: {
        readonly Index: number;
      };
      readonly CreatedAt: string;
      readonly UpdatedAt: string;
      readonly Spec: {
        readonly Name: string;
        readonly Labels: Readonly<Record<string, string>>;
        readonly DriverConfiguration: {
          readonly Name: string;
          readonly Options?: Readonly<Record<string, string>> | undefined;
        };
        readonly Internal?: boolean | undefined;
        readonly Attachable?: boolean | undefined;
        readonly Ingress?: boolean | undefined;
        readonly IPAMOptions: {
          readonly Driver: {
            readonly Name: string;
          };
        };
        readonly Scope: string;
      };
      readonly DriverState: {
        readonly Name: string;
        readonly Options: Readonly<Record<string, string>>;
      };
      readonly IPAMOptions: {
        readonly Driver: {
          readonly Name: string;
        };
        readonly Configs: readonly {
          readonly Subnet: string;
          readonly Range?: string | undefined;
          readonly Gateway: string;
        }[];
      };
    };
    readonly Addresses: readonly string[];
  }[] | undefined;
  readonly GenericResources?: readonly {
    readonly NamedResourceSpec?: {
      readonly Kind?: string | undefined;
      readonly Value?: string | undefined;
    } | undefined;
    readonly DiscreteResourceSpec?: {
      readonly Kind?: string | undefined;
      readonly Value?: number | undefined;
    } | undefined;
  }[] | undefined;
  readonly JobIteration?: {
    readonly Index: number;
  } | undefined;
};

export type TaskSpec = {
  readonly ContainerSpec?: {
    readonly Image?: string | undefined;
    readonly Labels?: Readonly<Record<string, string>> | undefined;
    readonly Command?: readonly string[] | undefined;
    readonly Args?: readonly string[] | undefined;
    readonly Hostname?: string | undefined;
    readonly Env?: readonly string[] | undefined;
    readonly Dir?: string | undefined;
    readonly User?: string | undefined;
    readonly Groups?: readonly string[] | undefined;
    readonly Privileges?: {
      readonly CredentialSpec?: {
        readonly Config?: string | undefined;
        readonly File?: string | undefined;
        readonly Registry?: string | undefined;
      } | undefined;
      readonly SELinuxContext?: {
        readonly Disable?: boolean | undefined;
        readonly User?: string | undefined;
        readonly Role?: string | undefined;
        readonly Type?: string | undefined;
        readonly Level?: string | undefined;
      } | undefined;
      readonly Seccomp?: {
        readonly Mode?: string | undefined;
        readonly Profile?: string | undefined;
      } | undefined;
      readonly AppArmor?: {
        readonly Mode?: string | undefined;
      } | undefined;
      readonly NoNewPrivileges?: boolean | undefined;
    } | undefined;
    readonly Init?: boolean | undefined;
    readonly StopSignal?: string | undefined;
    readonly TTY?: boolean | undefined;
    readonly OpenStdin?: boolean | undefined;
    readonly ReadOnly?: boolean | undefined;
    readonly Mounts?: readonly {
      readonly Type?: string | undefined;
      readonly Source?: string | undefined;
      readonly Target?: string | undefined;
      readonly ReadOnly?: boolean | undefined;
      readonly Consistency?: string | undefined;
      readonly BindOptions?: {
        readonly Propagation?: string | undefined;
        readonly NonRecursive?: boolean | undefined;
        readonly CreateMountpoint?: boolean | undefined;
        readonly ReadOnlyNonRecursive?: boolean | undefined;
        readonly ReadOnlyForceRecursive?: boolean | undefined;
      } | undefined;
      readonly VolumeOptions?: {
        readonly NoCopy?: boolean | undefined;
        readonly Subpath?: string | undefined;
        readonly Labels?: Readonly<Record<string, string>> | undefined;
        readonly DriverConfig?: {
          readonly Name?: string | undefined;
          readonly Options?: Readonly<Record<string, string>> | undefined;
        } | undefined;
      } | undefined;
      readonly TmpfsOptions?: {
        readonly SizeBytes?: number | undefined;
        readonly Mode?: number | undefined;
        readonly Options?: readonly (readonly string[])[] | undefined;
      } | undefined;
      readonly ClusterOptions?: Readonly<Record<string, unknown>> | undefined;
      readonly ImageOptions?: {
        readonly Subpath?: string | undefined;
      } | undefined;
    }[] | undefined;
    readonly StopGracePeriod?: number | undefined;
    readonly Healthcheck?: {
      readonly Test?: readonly string[] | undefined;
      readonly Interval?: number | undefined;
      readonly Timeout?: number | undefined;
      readonly StartPeriod?: number | undefined;
      readonly StartInterval?: number | undefined;
      readonly Retries?: number | undefined;
    } | undefined;
    readonly Hosts?: readonly string[] | undefined;
    readonly DNSConfig?: {
      readonly Nameservers?: readonly string[] | undefined;
      readonly Search?: readonly string[] | undefined;
      readonly Options?: readonly string[] | undefined;
    } | undefined;
    readonly Secrets?: readonly {
      readonly SecretID?: string | undefined;
      readonly SecretName?: string | undefined;
      readonly File?: {
        readonly Name?: string | undefined;
        readonly UID?: string | undefined;
        readonly GID?: string | undefined;
        readonly Mode?: number | undefined;
      } | undefined;
    }[] | undefined;
    readonly Configs?: readonly {
      readonly ConfigID?: string | undefined;
      readonly ConfigName?: string | undefined;
      readonly File?: {
        readonly Name?: string | undefined;
        readonly UID?: string | undefined;
        readonly GID?: string | undefined;
        readonly Mode?: number | undefined;
      } | undefined;
      readonly Runtime?: Readonly<Record<string, unknown>> | undefined;
    }[] | undefined;
    readonly Isolation?: string | undefined;
    readonly Sysctls?: Readonly<Record<string, string>> | undefined;
    readonly CapabilityAdd?: readonly string[] | undefined;
    readonly CapabilityDrop?: readonly string[] | undefined;
    readonly Ulimits?: readonly {
      readonly Name?: string | undefined;
      readonly Soft?: number | undefined;
      readonly Hard?: number | undefined;
    }[] | undefined;
    readonly OomScoreAdj?: number | undefined;
  } | undefined;
  readonly PluginSpec?: Readonly<Record<string, unknown>> | undefined;
  readonly NetworkAttachmentSpec?: Readonly<Record<string, unknown>> | undefined;
  readonly Resources?: {
    readonly Limits?: {
      readonly NanoCPUs?: number | undefined;
      readonly MemoryBytes?: number | undefined;
      readonly Pids?: number | undefined;
      readonly GenericResources?: readonly {
        readonly NamedResourceSpec?: {
          readonly Kind?: string | undefined;
          readonly Value?: string | undefined;
        } | undefined;
        readonly DiscreteResourceSpec?: {
          readonly Kind?: string | undefined;
          readonly Value?: number | undefined;
        } | undefined;
      }[] | undefined;
    } | undefined;
    readonly Reservations?: {
      readonly NanoCPUs?: number | undefined;
      readonly MemoryBytes?: number | undefined;
      readonly GenericResources?: readonly {
        readonly NamedResourceSpec?: {
          readonly Kind?: string | undefined;
          readonly Value?: string | undefined;
        } | undefined;
        readonly DiscreteResourceSpec?: {
          readonly Kind?: string | undefined;
          readonly Value?: number | undefined;
        } | undefined;
      }[] | undefined;
    } | undefined;
  } | undefined;
  readonly RestartPolicy?: {
    readonly Condition?: string | undefined;
    readonly Delay?: number | undefined;
    readonly MaxAttempts?: number | undefined;
    readonly Window?: number | undefined;
  } | undefined;
  readonly Placement?: {
    readonly Constraints?: readonly string[] | undefined;
    readonly Preferences?: readonly {
      readonly Spread?: {
        readonly SpreadDescriptor?: string | undefined;
      } | undefined;
    }[] | undefined;
    readonly MaxReplicas?: number | undefined;
    readonly Platforms?: readonly {
      readonly Architecture?: string | undefined;
      readonly OS?: string | undefined;
    }[] | undefined;
  } | undefined;
  readonly Networks?: readonly {
    readonly Target?: string | undefined;
    readonly Aliases?: readonly string[] | undefined;
    readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
  }[] | undefined;
  readonly LogDriver?: {
    readonly Name?: string | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly ForceUpdate?: number | undefined;
  readonly Runtime?: string | undefined;
};

export interface ServicesRoutes {
  /** Lists services. */
  'GET /services': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly status?: boolean | undefined; }; };
    readonly answer: readonly ServiceDetails[];
  };
  /** Creates a service. */
  'POST /services/create': {
    readonly options: { readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body: ServiceSpec; };
    readonly answer: ServiceCreated;
  };
  /** Describes a service. */
  'GET /services/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly insertDefaults?: boolean | undefined; }; };
    readonly answer: ServiceDetails;
  };
  /** Removes a service with its tasks. */
  'DELETE /services/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes a service. */
  'POST /services/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; readonly rollback?: string | undefined; readonly registryAuthFrom?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body: ServiceSpec; };
    readonly answer: ServiceUpdated;
  };
  /** Lists tasks. */
  'GET /tasks': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly TaskDetails[];
  };
  /** Describes a task. */
  'GET /tasks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: TaskDetails;
  };
}
