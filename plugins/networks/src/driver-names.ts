/** Clients know the driver of the network `none` by this name. */
const nullDriver = 'null';

export const shownDriver = (id: string): string => (id === 'none' ? nullDriver : id);

export const driverOfName = (name: string): string => (name === nullDriver ? 'none' : name);
