/** The profile of containers that name none. */
export const defaultProfileName = 'gantry-default';

/**
 * What containers may not do even as root and with capabilities, by the kernel's own files: everything that the mount
 * options and masked paths forbid is forbidden a second time, and mounting as well. Programs in a container may signal
 * and trace each other, and the host may signal them.
 */
export const defaultProfile = `
profile ${defaultProfileName} flags=(attach_disconnected,mediate_deleted) {
  network,
  capability,
  file,
  umount,
  signal (receive) peer=unconfined,
  signal (send, receive) peer=${defaultProfileName},
  ptrace (trace, read, tracedby, readby) peer=${defaultProfileName},

  deny mount,
  deny /proc/sysrq-trigger rwklx,
  deny /proc/kcore rwklx,
  deny /proc/mem rwklx,
  deny /proc/kmem rwklx,
  deny /proc/sys/kernel/core_pattern wklx,
  deny /proc/sys/kernel/modprobe wklx,
  deny /proc/sys/kernel/hotplug wklx,
  deny /proc/sys/fs/binfmt_misc/** wklx,
  deny /sys/firmware/** rwklx,
  deny /sys/kernel/** wklx,
  deny /sys/module/** wklx,
  deny /sys/devices/virtual/powercap/** rwklx,
}
`;
