/** Contexts that the kernel gives what exists before a policy does, by its own numbers. */
const initial = [
  ...['kernel', 'security', 'unlabeled', 'fs', 'file', 'file_labels', 'init', 'any_socket', 'port', 'netif', 'netmsg'],
  ...['node', 'igmp_packet', 'icmp_socket', 'tcp_socket', 'sysctl_modprobe', 'sysctl', 'sysctl_fs', 'sysctl_kernel'],
  ...['sysctl_net', 'sysctl_net_unix', 'sysctl_vm', 'sysctl_dev', 'kmod', 'policy', 'scmp_packet', 'devnull'],
];

const categories = Array.from({ length: 1024 }, (_, number) => `c${number}`);
const everything =
  '((file (read write execute entrypoint)) (dir (read write search)) (process (transition dyntransition)))';
const allow = (from: string, to: string): string =>
  everything
    .slice(1, -1)
    .replaceAll(
      /\((file|dir|process) (\([a-z ]+\))\)/g,
      (_, name, words) => `(allow ${from} ${to} (${name} ${words}))`,
    );
const fileContext = (type: string): string => `(system_u object_r ${type} ((s0) (s0)))`;

/**
 * A policy in the language of secilc, small enough to be compiled in the guest: Debian's has no type for containers. What
 * is not named here is allowed. Containers may use their own files, and not those of the host or of other categories.
 */
export const selinuxPolicy = `
(handleunknown allow)
(mls true)
(class file (read write execute entrypoint))
(class dir (read write search))
(class process (transition dyntransition))
(classorder (file dir process))
${initial.map((name) => `(sid ${name})`).join('\n')}
(sidorder (${initial.join(' ')}))
(sensitivity s0)
(sensitivityorder (s0))
${categories.map((name) => `(category ${name})`).join('\n')}
(categoryorder (${categories.join(' ')}))
(sensitivitycategory s0 (range c0 c1023))
(type kernel_t)
(type container_t)
(type container_file_t)
(type container_ro_file_t)
(type host_file_t)
(type pseudo_t)
(typeattribute any)
(typeattributeset any (kernel_t container_t container_file_t container_ro_file_t host_file_t pseudo_t))
(role system_r)
(role object_r)
(roletype system_r kernel_t)
(roletype system_r container_t)
(user system_u)
(userrole system_u system_r)
(userrole system_u object_r)
(roletype object_r any)
(userlevel system_u (s0))
(userrange system_u ((s0) (s0 (range c0 c1023))))
${initial.map((name) => `(sidcontext ${name} ${name === 'kernel' ? '(system_u system_r kernel_t ((s0) (s0 (range c0 c1023))))' : fileContext('host_file_t')})`).join('\n')}
${allow('kernel_t', 'any')}
${allow('container_t', 'container_t')}
${allow('container_t', 'container_file_t')}
${allow('container_t', 'pseudo_t')}
(allow container_t container_ro_file_t (file (read execute)))
(allow container_t container_ro_file_t (dir (read search)))
(mlsconstrain (file (read write execute)) (or (dom h1 h2) (eq t1 kernel_t)))
(mlsconstrain (dir (read write search)) (or (dom h1 h2) (eq t1 kernel_t)))
${['ext4', 'xfs', 'overlay'].map((name) => `(fsuse xattr ${name} ${fileContext('host_file_t')})`).join('\n')}
${['devpts', 'tmpfs', 'mqueue'].map((name) => `(fsuse trans ${name} ${fileContext(name === 'tmpfs' ? 'host_file_t' : 'pseudo_t')})`).join('\n')}
${['proc', 'sysfs', 'cgroup2', 'nfs', 'nfs4', 'cifs'].map((name) => `(genfscon ${name} "/" ${fileContext('pseudo_t')})`).join('\n')}
`;

/** What such a policy has for container engines, in the file where they look for it. */
export const containerContexts = `process = "system_u:system_r:container_t:s0"
file = "system_u:object_r:container_file_t:s0"
ro_file = "system_u:object_r:container_ro_file_t:s0"
`;
