/** Networks of the driver bridge, each call of which goes through here: the place for what is different. */
export class __Name__Networks {
  #inner;
  #hooks;
  #log;

  constructor(inner, hooks, log) {
    this.#inner = inner;
    this.#hooks = hooks;
    this.#log = log;
  }

  get capabilities() {
    return this.#inner.capabilities;
  }

  async start(signal) {
    await this.#hooks.start?.(signal);
  }

  async stop(signal) {
    await this.#hooks.stop?.(signal);
  }

  validate(network) {
    this.#inner.validate(network);
  }

  async createNetwork(network) {
    await this.#inner.createNetwork(network);
  }

  async removeNetwork(id) {
    await this.#inner.removeNetwork(id);
  }

  async join(request, options) {
    const joined = await this.#inner.join(request, options);
    this.#log.info({ event: 'network.joined', network: request.networkId, address: request.ipv4 }, 'container joined');
    return joined;
  }

  async leave(networkId, endpointId) {
    await this.#inner.leave(networkId, endpointId);
  }

  async restore(networks, endpoints) {
    await this.#inner.restore(networks, endpoints);
  }
}
